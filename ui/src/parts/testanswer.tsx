// The answer to a question that is judged: as on the page of a question, with its corrections, and a note where the query that the
// question was made from gives something else.
import { useRef } from "preact/hooks";
import { lang, t, wished } from "../i18n";
import { testWords } from "../i18n/tests";
import { sent } from "../meanings";
import { tests } from "../net/tests";
import { prefer, prefers } from "../prefers";
import type { Conversation } from "../store/conversation";
import type { RunState } from "../store/run";
import type { Compared, Config } from "../types";
import { copy } from "./copy";
import { useLoaded } from "./loaded";
import { Outcome } from "./outcome";

export interface TestAnswerNeeds {
  dataset: string;
  config: Config;
  talk: Conversation;
  state: RunState;
  open: (iri: string, name: string) => void;
  /** The query that the question was made from; empty for one's own. */
  made: string;
  ask: (question: string, more?: object) => void;
}

function Other({ dataset, run, made }: { dataset: string; run: string; made: string }) {
  const { value } = useLoaded<Compared>(() => tests.compare(dataset, run, made), [run]);
  if (!value || value.same) return null;
  return <p class="soft note" dir="auto">{testWords().other_result(t.rows(value.rows), value.first.join("; ") || "–")}</p>;
}

export function TestAnswer({ dataset, config, talk, state, open, made, ask }: TestAnswerNeeds) {
  const box = useRef<HTMLDivElement>(null);
  const { question, id, phase } = state;
  // What is judged is not reported as well.
  const pages = { ...config.pages, feedback: false, proposals: false };
  return (
    <>
      <Outcome state={state} config={{ ...config, pages }} box={box} open={open} retry={() => ask(question)} ask={(text) => ask(text)}
        again={(text = question, mine) => ask(text, mine && { meanings: [sent(mine)] })}
        choose={(property, among) => (prefer(dataset, property, among), ask(question, { prefers: prefers(dataset) }))}
        tryQuery={(kind, title, query) => talk.tryQuery(kind, title, query, wished ?? state.lang ?? lang)}
        back={() => talk.dispatch({ type: "back" })} more={(rows) => talk.dispatch({ type: "more", rows })} share={() => void copy(new URL(`/runs/${id}`, location.href).href, t.shared)} />
      {phase === "done" && id && made && state.query && !state.other && <Other dataset={dataset} run={id} made={made} />}
    </>
  );
}
