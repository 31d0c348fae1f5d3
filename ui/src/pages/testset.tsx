// The owner of a graph judges answers to questions made from it: one after the other, then the score.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { lang } from "../i18n";
import { testWords } from "../i18n/tests";
import { failureOf } from "../net/api";
import { tests } from "../net/tests";
import { recall, remember } from "../keep";
import { Failed } from "../parts/failure";
import { useLoaded } from "../parts/loaded";
import { Judged, Score } from "../parts/testscore";
import { TestAnswer } from "../parts/testanswer";
import { Conversation } from "../store/conversation";
import type { Config, Failure, Judgement, TestProposal, TestSet } from "../types";

/** How many questions there are at first, and how many more each time. */
const COUNT = 30;
const MORE = 20;

const number = (n: number): string => n.toLocaleString(lang);

export interface TestNeeds {
  dataset: string;
  config: Config;
  open: (iri: string, name: string) => void;
}

interface OneNeeds extends TestNeeds {
  proposal: TestProposal;
  judge: (judgement: Omit<Judgement, "id" | "construct">) => Promise<void>;
  skip: () => void;
}

/** A conversation that draws anew what it belongs to. */
function useTalk(): Conversation {
  const [, draw] = useState(0);
  const count = useRef(0);
  return useMemo(() => new Conversation({ changed: () => draw((count.current += 1)), named: () => undefined, ended: () => undefined }), []);
}

function Reword({ text, ask }: { text: string; ask: (text: string) => void }) {
  const words = testWords();
  const onSubmit = (event: SubmitEvent & { currentTarget: HTMLFormElement }): void => {
    event.preventDefault();
    const written = String(new FormData(event.currentTarget).get("question")).trim();
    if (written) ask(written);
  };
  return (
    <form class="comment" onSubmit={onSubmit}>
      <input name="question" maxLength={1000} dir="auto" defaultValue={text} aria-label={text ? words.reword : words.own} placeholder={words.own} />
      <button class="plain">{words.ask}</button>
    </form>
  );
}

/** One question with its answer, and what can be said of it. */
function One({ dataset, config, proposal, open, judge, skip }: OneNeeds) {
  const words = testWords();
  const talk = useTalk();
  const [writing, setWriting] = useState(false);
  const [error, setError] = useState<Failure>();
  const [busy, setBusy] = useState(false);
  const ask = (question: string, more: object = {}): void => (setWriting(false), talk.start({ dataset, question, reader: lang, test: true, ...more }, []));
  useEffect(() => (ask(proposal.question), () => void talk.stop()), [proposal.id]);
  const { state } = talk;
  const run = state?.phase === "done" || state?.phase === "failed" ? state.id : undefined;
  const say = (right: boolean, query?: string): void => {
    if (!run || busy || (right && !state?.query)) return;
    setBusy(true);
    setError(undefined);
    judge({ run, right, ...(query && { query }) }).catch((error) => (setError(failureOf(error)), setBusy(false)));
  };
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const inside = event.composedPath()[0];
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (inside instanceof HTMLElement && (inside.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(inside.tagName))) return;
      const does: Record<string, () => void> = { y: () => say(true), n: () => say(false), s: skip };
      does[event.key.toLowerCase()]?.();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  });
  const other = state?.other?.run.query;
  return (
    <section class="card proposal one" aria-busy={busy || state?.phase === "working"}>
      <p class="soft">{words.constructs[proposal.construct] ?? proposal.construct}</p>
      <h2 dir="auto" lang={proposal.lang || undefined}>{state?.question ?? proposal.question}</h2>
      {state && <TestAnswer dataset={dataset} config={config} talk={talk} state={state} open={open} made={proposal.query} ask={ask} />}
      {error && <Failed error={error} />}
      {writing && <Reword text={state?.question ?? proposal.question} ask={ask} />}
      <div class="row decide">
        {other
          ? <button class="main" disabled={busy} onClick={() => say(false, other)}>{words.this_right}</button>
          : <>
              <button class="main" disabled={!run || busy || !state?.query} onClick={() => say(true)}>{words.right}</button>
              <button class="plain" disabled={!run || busy} onClick={() => say(false)}>{words.wrong}</button>
            </>}
        <button class="plain" disabled={busy} onClick={skip}>{words.skip}</button>
        <button class="plain" aria-expanded={writing} onClick={() => setWriting(!writing)}>{words.reword}</button>
      </div>
      <p class="soft note">{words.keys}. {words.how}</p>
    </section>
  );
}

const own = (question: string): TestProposal => ({ id: "", question, lang: "", construct: "own", query: "" });

function Judging({ set, more, ...needs }: TestNeeds & { set: TestSet; more: () => void }) {
  const words = testWords();
  const { dataset } = needs;
  const [queue, setQueue] = useState(set.proposals);
  const [at, setAt] = useState(0);
  const [skipped, setSkipped] = useState<TestProposal[]>([]);
  const [mine, setMine] = useState<TestProposal>();
  const [score, setScore] = useState(set.score);
  const [count, setCount] = useState(0);
  const proposal = mine ?? queue[at];
  const next = (): void => (mine ? setMine(undefined) : setAt(at + 1));
  const skip = (): void => (proposal && !mine && setSkipped([...skipped, proposal]), next());
  const seeSkipped = (): void => (setQueue(skipped), setAt(0), setSkipped([]));
  const judge = async (said: Omit<Judgement, "id" | "construct">): Promise<void> => {
    if (!proposal) return;
    const { id, construct } = proposal;
    setScore((await tests.judge(dataset, { ...said, construct, ...(id && { id }) })).score);
    setCount(count + 1);
    next();
  };
  return (
    <>
      {proposal && !mine && (
        <p class="soft" role="status">
          {words.of(number(set.of - queue.length + at + 1), number(set.of))} <progress max={set.of} value={set.of - queue.length + at} aria-label={words.title} />
        </p>
      )}
      {proposal
        ? <One key={`${proposal.id} ${proposal.question}`} {...needs} proposal={proposal} judge={judge} skip={skip} />
        : skipped.length > 0
          ? <p role="status"><button class="main" onClick={seeSkipped}>{words.skipped} ({number(skipped.length)})</button></p>
          : <p role="status" tabIndex={-1} ref={(element) => element?.focus()}>{set.of > 0 ? words.done : words.none}</p>}
      {!mine && <Reword key={`own ${count}`} text="" ask={(question) => setMine(own(question))} />}
      {score && <Score dataset={dataset} score={score} ended={!proposal} judged={count} more={more} />}
      <Judged tests={set.tests} anew={({ id, question, lang, construct }) => (setMine({ id, question, lang: lang ?? "", construct, query: "" }), scrollTo({ top: 0 }))} />
    </>
  );
}

export function TestPage(needs: TestNeeds) {
  const words = testWords();
  const { dataset } = needs;
  const kept = `tests.${dataset}`;
  const [count, setCount] = useState(Number(recall(kept)) || COUNT);
  const [tongue, setTongue] = useState<string>();
  const [languages, setLanguages] = useState<string[]>([]);
  const { value: set, error, again } = useLoaded(async () => {
    const found = await tests.all(dataset, count, tongue ?? "");
    setLanguages(found.languages);
    // The reader's language, where the graph has it.
    if (tongue === undefined && found.languages.length > 1 && found.languages.includes(lang)) {
      setTongue(lang);
      return tests.all(dataset, count, lang);
    }
    return found;
  }, [dataset, count, tongue]);
  // A page that is loaded again goes on with as many.
  const add = (more: number): void => (again(), remember(kept, String(more)), setCount(more));
  return (
    <div class="learnpage" aria-busy={!set && !error}>
      <h1>{words.title}</h1>
      <p class="soft">{words.intro}</p>
      {languages.length > 1 && (
        <select class="language" aria-label={words.all_languages} value={tongue ?? ""} onChange={(event) => (again(), setTongue(event.currentTarget.value))}>
          <option value="">{words.all_languages}</option>
          {languages.map((tag) => <option value={tag}>{new Intl.DisplayNames(lang, { type: "language" }).of(tag) ?? tag}</option>)}
        </select>
      )}
      {error && <Failed error={error} retry={again} />}
      {!set && !error && <p class="soft" role="status">{words.made}</p>}
      {set && set.problems.length > 0 && <><p>{words.file_problems}</p><ul>{set.problems.map((one) => <li dir="auto">{one}</li>)}</ul></>}
      {set && <Judging key={`${count} ${tongue} ${set.judged}`} {...needs} set={set} more={() => add(Math.max(set.of, count) + MORE)} />}
    </div>
  );
}
