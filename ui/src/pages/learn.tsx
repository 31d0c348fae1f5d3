// What readers and models propose: for each what it would change, and the owner's decision.
import { useState } from "preact/hooks";
import { lang, t } from "../i18n";
import { api, failureOf } from "../net/api";
import { Failed } from "../parts/failure";
import { kindOf } from "../parts/kinds";
import { useLoaded } from "../parts/loaded";
import type { Change, Failure, Proposal, Trial, TrialAnswer } from "../types";

const focus = (element: HTMLElement | null): void => element?.focus();

function titleOf({ kind, words, name, question, meaning, property }: Proposal): string {
  if (kind === "glossary" && !words) return t.learn_prefer(name ?? "");
  if (kind === "glossary") return `${t.learn_word(words ?? "", name ?? "")} (${kindOf(meaning?.kind ?? "", property)})`;
  return kind === "note" ? t.learn_note(name ?? "") : t.learn_question(question);
}

function Side({ title, answer: { text, rows, confidence } }: { title: string; answer: TrialAnswer }) {
  return (
    <div>
      <h4 class="soft">{title}</h4>
      <p dir="auto">{text || "–"}</p>
      <p class="soft small">
        {typeof rows === "number" && t.rows(rows)}{confidence && ` · ${t.confidence[confidence] ?? confidence}`}
      </p>
    </div>
  );
}

function Changed({ one: { question, verified, before, after } }: { one: Change }) {
  return (
    <li>
      <h3><bdi>{question}</bdi>{verified && <span class={verified === "broken" ? "chip warn" : "chip"}>{t.learn_verified[verified] ?? verified}</span>}</h3>
      <div class="sides"><Side title={t.learn_before} answer={before} /><Side title={t.learn_after} answer={after} /></div>
    </li>
  );
}

function Tried({ trial: { questions, changes, left } }: { trial: Trial }) {
  return (
    <div role="status">
      <p>{t.learn_changes(changes.length, questions)}{left > 0 && ` ${t.learn_left(left)}`}</p>
      {changes.length > 0 && <ul class="changes">{changes.map((one) => <Changed one={one} />)}</ul>}
    </div>
  );
}

function One({ dataset, proposal }: { dataset: string; proposal: Proposal }) {
  const { id, question, by, at, kind, entry, text, query } = proposal;
  const [written, setWritten] = useState(entry);
  const [trial, setTrial] = useState<Trial>();
  const [done, setDone] = useState<string>();
  const [error, setError] = useState<Failure>();
  const [busy, setBusy] = useState(false);
  const edited = written === entry ? undefined : written;
  const wait = <T,>(work: Promise<T>, then: (value: T) => void): void => {
    setBusy(true);
    setError(undefined);
    void work.then(then, (error) => setError(failureOf(error))).finally(() => setBusy(false));
  };
  const tryIt = (): void => wait(api.trial(dataset, id, edited), setTrial);
  const decide = (accept: boolean): void =>
    wait(api.decide(dataset, id, accept, edited, accept && !!trial?.broken), ({ file }) => setDone(file ? t.learn_accepted(file) : t.learn_rejected));
  if (done) return <li class="card proposal"><p role="status" tabIndex={-1} ref={focus}><b><bdi>{titleOf(proposal)}</bdi></b> {done}</p></li>;
  const when = new Date(at).toLocaleDateString(lang, { dateStyle: "long" });
  return (
    <li class="card proposal" aria-busy={busy}>
      <h2><bdi>{titleOf(proposal)}</bdi></h2>
      <p class="soft">{[kind === "glossary" && question && t.quoted(question), by, when].filter(Boolean).join(" · ")}</p>
      {text && <p dir="auto">{text}</p>}
      {query && <pre class="query" tabIndex={0} aria-label={t.query}><code>{query}</code></pre>}
      <details><summary>{t.edit}</summary>
        <textarea rows={8} spellcheck={false} aria-label={t.learn_entry} value={written}
          onInput={(event) => (setWritten(event.currentTarget.value), setTrial(undefined))} />
      </details>
      {trial && <Tried trial={trial} />}
      {busy && <p class="soft" role="status">{t.working}</p>}
      {error && <Failed error={error} />}
      <div class="row decide">
        {/* What it would change is shown before anybody can accept it. */}
        {kind !== "note" && !trial
          ? <button class="main" disabled={busy} onClick={tryIt}>{t.learn_try}</button>
          : <button class="main" disabled={busy} onClick={() => decide(true)}>{trial?.broken ? t.accept_anyway : t.accept}</button>}
        <button class="plain" disabled={busy} onClick={() => decide(false)}>{t.reject}</button>
      </div>
    </li>
  );
}

export function LearnPage({ dataset }: { dataset: string }) {
  const [all, setAll] = useState<Proposal[]>();
  const { error, again } = useLoaded(async () => setAll(await api.proposals(dataset)), [dataset]);
  return (
    <div class="learnpage" aria-busy={!all && !error}>
      <h1>{t.learn}</h1>
      <p class="soft">{t.learn_intro}</p>
      {error && <Failed error={error} retry={again} />}
      {all?.length === 0 && <p>{t.learn_none}</p>}
      {all && all.length > 0 && <ul class="proposals">{all.map((one) => <One key={one.id} dataset={dataset} proposal={one} />)}</ul>}
    </div>
  );
}
