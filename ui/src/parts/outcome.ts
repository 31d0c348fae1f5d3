// What stands below the box once a question is asked: steps, sentence, results, query, other readings.
import { bdi, button, h, type Child } from "../dom";
import { t } from "../i18n";
import { recall, remember } from "../keep";
import { shown, type RunState } from "../store/run";
import type { Chosen, Config, Rows } from "../types";
import { card } from "../views/card";
import { because, chips, doubts, sentence, streaming } from "./answer";
import { failure } from "./failure";
import { feedback } from "./feedback";
import { meant } from "./meant";
import { pretty } from "./pretty";
import { queryCard } from "./query";
import { results } from "./results";
import { slot, type Slot } from "./slots";
import { stepsLine } from "./steps";

type Other = NonNullable<RunState["other"]>;

export interface OutcomeNeeds {
  config: Config;
  open: (iri: string, name: string) => void;
  retry: () => void;
  /** Asks a question that the answer names. */
  ask: (question: string) => void;
  /** Asks the same again in other words. */
  again: (question: string) => void;
  /** Asks the same again with one of these properties. */
  choose: (property: string, among: string[]) => void;
  /** Runs another query in the place of the answer's; throws what came of it. */
  tryQuery: (kind: Other["kind"], title: string, query: string) => Promise<void>;
  back: () => void;
  more: (rows: Rows) => void;
  share: () => void;
}

const skeleton = (): HTMLElement =>
  h("div", { class: "skeleton", "aria-hidden": "true" }, h("span"), h("span"), h("div", null, h("span"), h("span"), h("span")));

function said(state: RunState, needs: OutcomeNeeds): Child {
  const { phase, error, other } = state;
  if (other) {
    return [other.title ? h("p", { class: "say", dir: "auto" }, other.title) : null,
      other.run.answer ? sentence(other.run.answer, needs.ask) : null,
      button(t.back_to_answer, needs.back, { class: "link back" })];
  }
  if (phase === "failed" || phase === "cancelled") {
    return [state.answer ? sentence(state.answer, needs.ask) : null, failure(error ?? { code: phase === "failed" ? "other" : "cancelled", detail: "" }, needs.retry)];
  }
  if (state.answer) return sentence(state.answer, needs.ask);
  if (state.streamed) return streaming(state.streamed);
  if (phase === "working") return [h("span", { class: "unseen" }, t.working), skeleton()];
  // Without a sentence, what was read says what the rows are.
  return state.reading ? h("p", { class: "say", dir: "auto" }, state.reading) : null;
}

function taken(state: RunState): Child {
  const asked = state.asked && state.asked !== state.question ? state.asked : undefined;
  if (!asked && state.taken_over.length === 0) return null;
  return h("div", { class: "taken soft" },
    asked ? h("p", null, `${t.asked_as} `, bdi(asked)) : null,
    state.taken_over.length > 0 ? h("p", null, `${t.taken_over} `, bdi(state.taken_over.join("; "))) : null);
}

function empty(state: RunState, needs: OutcomeNeeds): Child {
  const { run } = shown(state);
  const reason = run?.empty;
  // Of what the graph does not know no condition is to blame.
  if (!reason || !run || run.answer?.kind === "not_in_graph") return null;
  const first = run.answer?.text.includes(reason.reason) ? null : h("p", { class: "note", dir: "auto" }, reason.reason || t.empty);
  const drops = (reason.drop ?? []).map((one) =>
    h("li", null, button([bdi(t.without(one.condition)), h("small", { class: "soft" }, ` ${t.rows(one.rows)}`)],
      () => void needs.tryQuery("dropped", t.without(one.condition), one.query).catch(() => undefined))));
  return [first, drops.length > 0 ? h("section", { class: "alts" }, h("h2", null, t.drop), h("ul", null, drops)) : null];
}

/** Which of the properties is meant that may be meant alike: that of the answer stands first. */
function choices(state: RunState): Chosen[] {
  if (state.confidence?.name !== "likely" || state.shared || state.other) return [];
  const offered = (state.run?.alternatives ?? []).flatMap(({ choice }) => choice ?? []);
  const taken = offered[0]?.taken;
  return taken ? [taken, ...offered.filter((one) => one.taken.iri === taken.iri).map((one) => one.instead)] : [];
}

function choice(state: RunState, needs: OutcomeNeeds): Child {
  const all = choices(state);
  if (state.phase !== "done" || all.length === 0) return null;
  const among = all.map(({ iri }) => iri);
  return h("div", { class: "choice", role: "group", "aria-label": t.which_meant }, h("span", { class: "soft" }, t.which_meant),
    all.map(({ iri, name }, n) => button(bdi(name), () => needs.choose(iri, among), { class: "example", "aria-pressed": String(n === 0) })));
}

function alternatives(state: RunState, needs: OutcomeNeeds): Child {
  const asked = choices(state).map(({ iri }) => iri);
  const all = (state.run?.alternatives ?? []).filter((one) => !one.choice || !asked.includes(one.choice.instead.iri));
  if (all.length === 0 || state.shared) return null;
  const items = h("ul", null, all.map(({ reading, query, rows }) =>
    h("li", null, button([bdi(reading), h("small", { class: "soft" }, ` ${t.rows(rows)}`)],
      () => void needs.tryQuery("other_reading", reading, query).catch(() => undefined)))));
  const doubtful = state.confidence?.name !== "sure";
  if (doubtful) return h("section", { class: "alts" }, h("h2", null, t.did_you_mean), items);
  return h("details", { class: "alts" }, h("summary", null, t.did_you_mean), items);
}

function query(state: RunState, needs: OutcomeNeeds): Child {
  const now = shown(state);
  if (!now.query) return null;
  const { pages } = needs.config;
  const done = state.phase === "done" && now.id;
  const foot = done && !state.shared && !state.other && pages?.feedback ? feedback(now.id ?? "") : null;
  const editable = done && !state.shared && pages?.queries !== false;
  const card = queryCard({
    dataset: state.dataset, query: pretty(now.query), explanation: now.explanation, editor: now.run?.editor,
    ...(!state.other && state.run?.rows_query && { rowsQuery: pretty(state.run.rows_query) }),
    ...(editable && { run: (text: string) => needs.tryQuery("edited", "", text) }),
  }, null);
  // Folded for those who have never wanted to see it.
  const fold = h("details", { class: "queryfold", open: recall(QUERY_SEEN) !== null }, h("summary", null, t.query_show), card);
  fold.addEventListener("toggle", () => fold.open && remember(QUERY_SEEN, "yes"));
  return [fold, foot];
}

/** Under which name it is kept that a query was looked at. */
const QUERY_SEEN = "query";

const MAX_CARDS = 4;

/** The things that the question names without asking anything else about them. */
const named = (state: RunState): string[] => (state.phase === "done" && !state.other && state.run?.about) || [];

function cards(state: RunState, needs: OutcomeNeeds): Child {
  return named(state).slice(0, MAX_CARDS).map((iri) => card(state.dataset, iri, needs.config));
}

function rows(state: RunState, needs: OutcomeNeeds): Child {
  const now = shown(state);
  // Of things that are only named the cards say it better.
  if (named(state).length > 0) return null;
  // Rows of something else than what was asked would mislead.
  if (!now.rows || now.answer?.kind === "not_in_graph") return null;
  return results({
    dataset: state.dataset, rows: now.rows, config: needs.config, open: needs.open, more: needs.more,
    run: state.phase === "done" ? now.id : undefined, reading: state.reading,
    grouped: /\bGROUP\s+BY\b/i.test(now.query ?? ""),
  });
}

/** The outcome of a question: drawn piece by piece as it comes. */
export function outcome(needs: OutcomeNeeds): Slot<RunState> {
  const steps = stepsLine();
  const slots: Slot<RunState>[] = [
    slot((state) => [state.asked, state.taken_over], taken),
    steps,
    slot((state) => [state.resuming], (state) => state.resuming && h("p", { class: "note soft", role: "status" }, t.resuming)),
    slot((state) => [state.phase, state.answer, state.streamed, state.error, state.other, state.phase === "done" && state.reading], (state) => said(state, needs),
      { class: "spoken", "aria-live": "polite" }),
    slot((state) => [state.confidence, state.rows, state.phase, state.other, state.run],
      (state) => state.phase === "done" && h("div", { class: "meta" }, chips(state), h("span", { class: "grow" }),
        state.id && !state.other ? button(t.share, needs.share, { class: "link" }) : null)),
    slot((state) => [state.run, state.phase, state.other], (state) => choice(state, needs)),
    slot((state) => [state.run, state.phase, state.other], (state) => meant(state, needs.again)),
    slot((state) => [state.run, state.other], doubts),
    slot((state) => [state.run, state.other], because),
    slot((state) => [state.run?.about, state.phase, state.other], (state) => cards(state, needs)),
    slot((state) => [shown(state).rows, shown(state).answer?.kind, state.phase === "done", state.run?.about], (state) => rows(state, needs)),
    slot((state) => [state.run, state.other], (state) => empty(state, needs)),
    slot((state) => [shown(state).query, shown(state).explanation, state.phase === "done", state.other], (state) => query(state, needs)),
    slot((state) => [state.run, state.phase], (state) => state.phase === "done" && alternatives(state, needs)),
  ];
  const element = h("div", { tabindex: -1, class: "outcome" }, slots.map((one) => one.element));
  return {
    element,
    show(state) {
      element.setAttribute("aria-busy", String(state.phase === "working"));
      for (const one of slots) one.show(state);
    },
  };
}
