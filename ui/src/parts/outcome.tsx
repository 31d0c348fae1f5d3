// What stands below the box once a question is asked: steps, sentence, results, query, other readings.
import type { ComponentChildren, Ref } from "preact";
import { useState } from "preact/hooks";
import { t } from "../i18n";
import { recall, remember } from "../keep";
import { prefers } from "../prefers";
import { forgetMeaning, meanings, type Mine } from "../meanings";
import { shown, type RunState } from "../store/run";
import type { Chosen, Config, Rows } from "../types";
import { Chips, Doubts, Reasons, Sentence } from "./answer";
import { Failed } from "./failure";
import { Citations } from "./citations";
import { Claims } from "./claims";
import { ArticleCard, Card, ComputedCard, Feedback, Meant, QueryCard, Which } from "./later";
import { Results } from "./results";
import { Steps } from "./steps";

type Other = NonNullable<RunState["other"]>;

export interface OutcomeNeeds {
  state: RunState;
  config: Config;
  box: Ref<HTMLDivElement>;
  open: (iri: string, name: string) => void;
  retry: () => void;
  /** Asks a question that the answer names. */
  ask: (question: string) => void;
  /** Asks the same again in other words, or with what words mean. */
  again: (question?: string, mine?: Mine) => void;
  /** Asks the same again with one of these properties. */
  choose: (property: string, among: string[]) => void;
  /** Runs another query in the place of the answer's; throws what came of it. */
  tryQuery: (kind: Other["kind"], title: string, query: string) => Promise<void>;
  back: () => void;
  more: (rows: Rows) => void;
  share: () => void;
}

const skeleton = (
  <div class="skeleton" aria-hidden="true"><span /><span /><div><span /><span /><span /></div></div>
);

function said({ state, ask, back, retry }: OutcomeNeeds): ComponentChildren {
  const { phase, error, other, answer } = state;
  if (other) {
    return (
      <>
        {other.title && <p class="say" dir="auto">{other.title}</p>}
        {other.run.answer && <Sentence answer={other.run.answer} ask={ask} />}
        <button class="link back" onClick={back}>{t.back_to_answer}</button>
      </>
    );
  }
  const sentence = answer && <Sentence answer={answer} ask={ask} />;
  if (phase === "failed" || phase === "cancelled") {
    return <>{sentence}<Failed error={error ?? { code: phase === "failed" ? "other" : "cancelled", detail: "" }} retry={retry} /></>;
  }
  if (sentence) return sentence;
  if (state.streamed) return <p class="say streaming" dir="auto">{state.streamed}</p>;
  if (phase === "working") return <><span class="unseen">{t.working}</span>{skeleton}</>;
  // Without a sentence, what was read says what the rows are.
  return state.reading ? <p class="say" dir="auto">{state.reading}</p> : null;
}

function Taken({ state: { asked, question, taken_over } }: OutcomeNeeds) {
  const other = asked && asked !== question;
  if (!other && taken_over.length === 0) return null;
  return (
    <div class="taken soft">
      {other && <p>{t.asked_as} <bdi>{asked}</bdi></p>}
      {taken_over.length > 0 && <p>{t.taken_over} <bdi>{taken_over.join("; ")}</bdi></p>}
    </div>
  );
}

interface Offer {
  name: string;
  query: string;
  rows: number;
}

/** Other queries, each a click away, with the number of their rows. */
function Offers({ all, kind, tryQuery }: OutcomeNeeds & { all: Offer[]; kind: Other["kind"] }) {
  return (
    <ul>
      {all.map(({ name, query, rows }) => (
        <li>
          <button onClick={() => void tryQuery(kind, name, query).catch(() => undefined)}>
            <bdi>{name}</bdi><small class="soft"> {t.rows(rows)}</small>
          </button>
        </li>
      ))}
    </ul>
  );
}

function Empty(needs: OutcomeNeeds) {
  const { run } = shown(needs.state);
  // Of what the graph does not know no condition is to blame.
  if (!run?.empty || run.answer?.kind === "not_in_graph") return null;
  const { reason, drop } = run.empty;
  const all = drop.map(({ condition, query, rows }) => ({ name: t.without(condition), query, rows }));
  return (
    <>
      {!run.answer?.text.includes(reason) && <p class="note" dir="auto">{reason || t.empty}</p>}
      {all.length > 0 && <section class="alts"><h2>{t.drop}</h2><Offers {...needs} all={all} kind="dropped" /></section>}
    </>
  );
}

/** The properties of which the reader is asked, or has chosen, which is meant: that of the answer stands first. */
function choices({ phase, confidence, shared, other, run, dataset }: RunState): Chosen[] {
  if (phase !== "done" || shared || other) return [];
  const offered = (run?.alternatives ?? []).flatMap(({ choice }) => choice ?? []);
  const taken = offered[0]?.taken;
  if (!taken || (confidence?.name !== "likely" && !prefers(dataset).includes(taken.iri))) return [];
  return [taken, ...offered.filter((one) => one.taken.iri === taken.iri).map((one) => one.instead)];
}

function Alternatives(needs: OutcomeNeeds) {
  const { state } = needs;
  const asked = choices(state).map(({ iri }) => iri);
  const others = (state.run?.alternatives ?? []).filter((one) => !one.choice || !asked.includes(one.choice.instead.iri));
  if (others.length === 0 || state.shared) return null;
  const items = <Offers {...needs} all={others.map(({ reading, query, rows }) => ({ name: reading, query, rows }))} kind="other_reading" />;
  if (state.confidence?.name !== "sure") return <section class="alts"><h2>{t.did_you_mean}</h2>{items}</section>;
  return <details class="alts"><summary>{t.did_you_mean}</summary>{items}</details>;
}

/** Under which name it is kept that a query was looked at. */
const QUERY_SEEN = "query";

function Query({ state, config: { pages }, tryQuery, again }: OutcomeNeeds) {
  // Folded for those who have never wanted to see it.
  const [seen] = useState(() => recall(QUERY_SEEN) !== null);
  const { id, query, explanation, run } = shown(state);
  const done = state.phase === "done" && id;
  const { other } = state;
  const edited = other?.kind === "edited" ? other.run.query ?? undefined : undefined;
  if (!query) return null;
  return (
    <>
      <details class="queryfold" open={seen} onToggle={(event) => event.currentTarget.open && remember(QUERY_SEEN, "yes")}>
        <summary>{t.query_show}</summary>
        <QueryCard dataset={state.dataset} query={query} explanation={explanation} editor={run?.editor}
          rowsQuery={state.other ? undefined : state.run?.rows_query}
          run={done && !state.shared && pages.queries ? (text) => tryQuery("edited", "", text) : undefined} />
      </details>
      {done && !state.shared && (!other || edited !== undefined) && (pages.feedback || pages.proposals) && state.run && (
        <Feedback run={state.run} pages={pages} edited={edited} again={(mine) => again(undefined, mine)} />
      )}
    </>
  );
}

const begins = (text: string, words: string): boolean => text.toLocaleLowerCase().includes(words.toLocaleLowerCase().slice(0, Math.max(4, words.length - 2)));

/** The words of the question that mean something of their own to whoever reads it here. */
function Own({ state: { dataset, question, phase }, again }: OutcomeNeeds) {
  const all = phase === "working" ? [] : meanings(dataset).filter(({ words }) => begins(question, words));
  return all.length > 0 && (
    <div class="taken soft">
      {all.map(({ words, name }) => (
        <p><bdi>{t.mine(words, name)}</bdi> <button class="link" onClick={() => (forgetMeaning(dataset, words), again())}>{t.forget_mine}</button></p>
      ))}
    </div>
  );
}

const MAX_CARDS = 4;

function Found({ state, config, open, more }: OutcomeNeeds) {
  const { id, query, rows, answer } = shown(state);
  const done = state.phase === "done";
  // The things that the question names without asking anything else about them: of these the cards say it better.
  const about = (done && !state.other && state.run?.about) || [];
  if (about.length > 0) return <>{about.slice(0, MAX_CARDS).map((iri) => <Card key={iri} dataset={state.dataset} iri={iri} config={config} />)}</>;
  // Rows of something else than what was asked would mislead.
  if (!rows || answer?.kind === "not_in_graph") return null;
  return (
    <Results dataset={state.dataset} rows={rows} config={config} open={open} more={more} run={done ? id : undefined}
      reading={state.reading} grouped={/\bGROUP\s+BY\b/i.test(query ?? "")} />
  );
}

/** The outcome of a question, as far as it has come. */
export function Outcome(needs: OutcomeNeeds) {
  const { state, box, share, choose, config: { pages } } = needs;
  const { run, shared } = state;
  const spoken = said(needs);
  const which = choices(state);
  const done = state.phase === "done";
  // What belongs to another query's run does not stay for the answer's, nor the other way round.
  const of = state.other?.run.id ?? "";
  const article = state.other ? undefined : state.run?.article;
  const computed = state.other ? undefined : state.run?.trace?.computed;
  const citations = (!state.other && state.run?.trace?.citations) || [];
  return (
    <div ref={box} tabIndex={-1} class="outcome" aria-busy={state.phase === "working"}>
      <Taken {...needs} />
      {!state.shared && <Own {...needs} />}
      <Steps state={state} />
      {state.resuming && <p class="note soft" role="status">{t.resuming}</p>}
      <div class="spoken" aria-live="polite" hidden={!spoken}>{spoken}</div>
      {done && (
        <div class="meta">
          <Chips state={state} /><span class="grow" />
          {state.id && !state.other && <button class="link" onClick={share}>{t.share}</button>}
        </div>
      )}
      {run && which.length > 0 && <Which key={run.id} run={run} all={which} proposals={pages.proposals} choose={choose} />}
      {done && run && !state.other && !shared && run.confidence?.name !== "sure" && <Meant run={run} ask={needs.again} />}
      <Doubts state={state} />
      <Reasons state={state} />
      {article && <ArticleCard article={article} config={needs.config} />}
      {computed && <ComputedCard {...computed} />}
      {done && !state.other && state.id && state.run?.rows && state.run.answer && <Claims key={state.id} run={state.id} />}
      {citations.length > 0 && !article && <Citations citations={citations} />}
      <Found key={`rows ${of}`} {...needs} />
      <Empty {...needs} />
      <Query key={`query ${of}`} {...needs} />
      {done && <Alternatives {...needs} />}
    </div>
  );
}
