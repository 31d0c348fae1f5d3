// The page of a question: the box, what came of it, the next question.
import { useRef } from "preact/hooks";
import { isAny } from "../any";
import { lang, t, wished } from "../i18n";
import { articles } from "../keep";
import type { Mine } from "../meanings";
import { failureOf } from "../net/api";
import { AskBox } from "../parts/askbox";
import { copy, say } from "../parts/copy";
import { Outcome } from "../parts/outcome";
import { Welcome } from "../parts/welcome";
import { prefer } from "../prefers";
import type { Conversation, Turn } from "../store/conversation";
import type { RunState } from "../store/run";
import type { Config } from "../types";

export interface AskNeeds {
  config: Config;
  dataset: string;
  talk: Conversation;
  open: (iri: string, name: string) => void;
  /** Asks a question after others. */
  ask: (question: string, turns: Turn[], mine?: Mine) => void;
  stop: () => void;
  /** Shows a run that was kept. */
  goTo: (run: string) => void;
  askKey: () => void;
}

/** The questions before this one, with their answers. */
function Earlier({ turns, goTo }: { turns: Turn[]; goTo: (run: string) => void }) {
  return (
    <nav class="earlier" aria-label={t.earlier}>
      <ol>
        {turns.map(({ id, question, text }) => (
          <li>
            {id ? <button class="link" onClick={() => goTo(id)}><bdi>{question}</bdi></button> : <bdi>{question}</bdi>}
            {" "}<span class="soft"><bdi>{text}</bdi></span>
          </li>
        ))}
      </ol>
    </nav>
  );
}

/** The head of a run that somebody has shared: the question, and those before it. */
function SharedMark({ question, turns, again }: { question: string; turns: Turn[]; again: () => void }) {
  return (
    <div class="sharedmark">
      <div>
        <p class="soft">{t.shared_run}</p>
        {turns.length > 0 && (
          <div class="before soft"><p>{t.asked_before}</p><ol>{turns.map((turn) => <li dir="auto">{turn.question}</li>)}</ol></div>
        )}
        <p class="question" dir="auto">{question || t.query}</p>
      </div>
      {question && <button class="main" onClick={again}>{t.ask_again}</button>}
    </div>
  );
}

type Kind = NonNullable<RunState["other"]>["kind"];

function Answered({ config, talk, state, open, ask, askKey }: AskNeeds & { state: RunState }) {
  const box = useRef<HTMLDivElement>(null);
  const again = (question = state.question, mine?: Mine): void => ask(question, talk.turns, mine);
  const tryQuery = async (kind: Kind, title: string, query: string): Promise<void> => {
    try {
      await talk.tryQuery(kind, title, query, wished ?? state.lang ?? lang);
      box.current?.scrollIntoView({ block: "nearest" });
      if (kind !== "edited") box.current?.focus({ preventScroll: true });
    } catch (error) {
      if (kind !== "edited") say(t.errors[failureOf(error).code]?.[0] ?? failureOf(error).detail);
      throw error;
    }
  };
  return (
    <Outcome state={state} config={config} box={box} open={open} tryQuery={tryQuery} again={again}
      retry={() => (state.error?.code === "unauthorized" ? askKey() : again())}
      ask={(question) => ask(question, talk.after())}
      choose={(property, among) => (prefer(state.dataset, property, among), again())}
      back={() => talk.dispatch({ type: "back" })}
      more={(rows) => talk.dispatch({ type: "more", rows })}
      share={() => void copy(new URL(`/runs/${state.id}`, location.href).href, t.shared)} />
  );
}

export function AskPage(needs: AskNeeds) {
  const { config, dataset, talk, ask, stop, goTo } = needs;
  const any = isAny(config.datasets?.find(({ id }) => id === dataset));
  // Names are looked up in one graph.
  const lookup = any ? "" : dataset;
  const { state, turns, number } = talk;
  const { shared, phase, question = "" } = state ?? {};
  return (
    <div>
      <h1 class="unseen">Eruca</h1>
      {turns.length > 0 && !shared && <Earlier turns={turns} goTo={goTo} />}
      {shared
        ? <SharedMark question={question} turns={turns} again={() => ask(question, turns)} />
        : <AskBox label={t.question} hint={t.ask_hint} dataset={lookup} text={question} number={number}
            ask={(text) => ask(text, [])} stop={phase === "working" ? stop : undefined} />}
      {!shared && (
        <label class="asarticle soft small">
          <input type="checkbox" defaultChecked={articles.wanted()} onChange={(event) => articles.want(event.currentTarget.checked)} /> {t.as_article}
        </label>
      )}
      {state ? <Answered key={number} {...needs} state={state} /> : any
        ? <p class="soft">{t.any_hint}</p>
        : <Welcome key={dataset} dataset={dataset} config={config} ask={(text) => ask(text, [])} />}
      {phase === "done" && !shared && (
        <AskBox key={`next ${number}`} class="ask next" label={t.follow} hint={t.follow_hint} dataset={lookup} text="" number={number}
          ask={(text) => ask(text, talk.after())} />
      )}
    </div>
  );
}
