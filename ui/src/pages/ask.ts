// The page of a question: the box, what came of it, the next question.
import { bdi, button, fill, h, type Child } from "../dom";
import { lang, t, wished } from "../i18n";
import { api, failureOf } from "../net/api";
import { ask, follow } from "../net/ask";
import { askBox } from "../parts/askbox";
import { copy, say } from "../parts/copy";
import { note } from "../parts/history";
import { outcome } from "../parts/outcome";
import { welcome } from "../parts/welcome";
import { prefer, prefers } from "../prefers";
import { begin, opened, reduce, type Action, type RunState } from "../store/run";
import type { Config, Run } from "../types";

/** A question of this conversation; without a name of its run where only its text is known. */
export interface Turn {
  id?: string;
  question: string;
  text: string;
}

export interface AskNeeds {
  config: Config;
  dataset: () => string;
  open: (iri: string, name: string) => void;
  /** Tells the address of the page what is shown. */
  at: (question: string, turns: Turn[], run?: string) => void;
  /** Shows a run that was kept. */
  goTo: (run: string) => void;
  key: () => void;
}

export interface AskPage {
  element: HTMLElement;
  focus: () => void;
  /** Stops what is under way; true when something was. */
  stop: () => boolean;
  blank: () => void;
  start: (question: string, turns: Turn[]) => void;
  load: (run: Run, turns: Turn[], shared: boolean) => void;
}

/** The questions that a run followed, where it is opened by itself. */
const followed = (run: Run): Turn[] => (run.follows ?? []).map((question) => ({ question, text: "" }));

const askedBefore = (turns: Turn[]): Child =>
  turns.length > 0 && h("div", { class: "before soft" }, h("p", null, t.asked_before),
    h("ol", null, turns.map(({ question }) => h("li", { dir: "auto" }, question))));

export function askPage(needs: AskNeeds): AskPage {
  let state: RunState | undefined;
  let turns: Turn[] = [];
  let stopping: AbortController | undefined;

  const first = askBox({ label: t.question, hint: t.ask_hint, dataset: needs.dataset, ask: (question) => fresh(question, []), stop: () => void stop() });
  const next = askBox({ label: t.follow, hint: t.follow_hint, dataset: needs.dataset, ask: (question) => fresh(question, after()) });
  const earlier = h("div");
  const mark = h("div", { class: "sharedmark", hidden: true });
  const below = h("div");
  next.element.classList.add("next");
  const element = h("div", null, h("h1", { class: "unseen" }, "Eruca"), earlier, mark, first.element, below, next.element);
  let out = makeOutcome();

  function makeOutcome(): ReturnType<typeof outcome> {
    return outcome({
      config: needs.config,
      open: needs.open,
      retry: () => state && (state.error?.code === "unauthorized" ? needs.key() : fresh(state.question, turns)),
      ask: (question) => fresh(question, after()),
      again: (question) => fresh(question, turns),
      choose: (property, among) => {
        if (!state) return;
        prefer(state.dataset, property, among);
        fresh(state.question, turns);
      },
      back: () => dispatch({ type: "back" }),
      more: (rows) => dispatch({ type: "more", rows }),
      share: () => void copy(new URL(`/runs/${state?.id}`, location.href).href, t.shared),
      tryQuery,
    });
  }

  async function tryQuery(kind: NonNullable<RunState["other"]>["kind"], title: string, query: string): Promise<void> {
    const from = state;
    if (!from) return;
    try {
      const run = await api.query(from.dataset, query, wished ?? from.lang ?? lang, from.id);
      if (state?.id === from.id) dispatch({ type: "other", other: { kind, title, run } });
      out.element.scrollIntoView({ block: "nearest" });
      if (kind !== "edited") out.element.focus({ preventScroll: true });
    } catch (error) {
      if (kind !== "edited") say(t.errors[failureOf(error).code]?.[0] ?? failureOf(error).detail);
      throw error;
    }
  }

  function draw(): void {
    if (!state) return;
    const working = state.phase === "working";
    first.busy(working);
    next.element.hidden = working || state.shared || state.phase !== "done";
    out.show(state);
    document.title = `${state.question || t.query} – Eruca`;
  }

  function dispatch(action: Action): void {
    if (!state) return;
    const before = state.phase;
    state = reduce(state, action);
    if (action.type === "opened") needs.at(state.question, turns, action.id);
    if (before === "working" && state.phase === "done") ended(state);
    draw();
  }

  function ended({ id, dataset, question, answer }: RunState): void {
    if (id && question) note({ id, dataset, question, text: answer?.text ?? "", at: new Date().toISOString() });
  }

  /** The conversation with the question that is answered now. */
  function after(): Turn[] {
    if (!state?.id || state.phase !== "done") return turns;
    return [...turns, { id: state.id, question: state.question, text: state.answer?.text ?? "" }];
  }

  function drawEarlier(): void {
    const line = ({ id, question, text }: Turn): HTMLElement =>
      h("li", null, id ? button(bdi(question), () => needs.goTo(id), { class: "link" }) : bdi(question), " ", h("span", { class: "soft" }, bdi(text)));
    fill(earlier, turns.length > 0 && !state?.shared ? h("nav", { class: "earlier", "aria-label": t.earlier }, h("ol", null, turns.map(line))) : null);
  }

  function reset(now: RunState, past: Turn[]): AbortController {
    stopping?.abort();
    stopping = new AbortController();
    [state, turns] = [now, past];
    out = makeOutcome();
    fill(below, out.element);
    first.set(now.question);
    next.set("");
    drawEarlier();
    drawMark();
    return stopping;
  }

  function drawMark(): void {
    mark.hidden = !state?.shared;
    first.element.hidden = state?.shared ?? false;
    const again = button(t.ask_again, () => state && fresh(state.question, turns), { class: "main" });
    fill(mark, h("div", null, h("p", { class: "soft" }, t.shared_run), askedBefore(turns), h("p", { class: "question", dir: "auto" }, state?.question || t.query)),
      state?.question ? again : null);
  }

  /** A question is asked: it becomes a place in the browser's history. */
  function fresh(question: string, past: Turn[]): void {
    needs.at(question, past);
    start(question, past);
  }

  function start(question: string, past: Turn[]): void {
    const dataset = needs.dataset();
    const { signal } = reset(begin(dataset, question), past);
    // Events of a question that was given up must not reach the next one.
    const mine = (action: Action): void => void (stopping?.signal === signal && dispatch(action));
    const history = past.slice(-4).map(({ id, question }) => (id ? { run: id } : { question }));
    draw();
    first.input.focus({ preventScroll: true });
    const chosen = prefers(dataset);
    void ask({ dataset, question, history, reader: lang, ...(wished && { lang: wished }), ...(chosen.length > 0 && { prefers: chosen }) }, mine, () => {
      state = begin(dataset, question);
      draw();
    }, signal);
  }

  function load(run: Run, past: Turn[], shared: boolean): void {
    const loaded = opened(run);
    const { signal } = reset({ ...loaded, shared }, past.length > 0 ? past : followed(run));
    draw();
    const mine = (action: Action): void => void (stopping?.signal === signal && dispatch(action));
    if (loaded.phase === "working") void follow(run.id, mine, signal);
  }

  function stop(): boolean {
    if (state?.phase !== "working") return false;
    stopping?.abort();
    state = reduce(state, { type: "stopped" });
    draw();
    first.input.focus();
    return true;
  }

  function blank(): void {
    stopping?.abort();
    [state, turns] = [undefined, []];
    first.set("");
    first.busy(false);
    first.element.hidden = false;
    next.element.hidden = true;
    mark.hidden = true;
    drawEarlier();
    fill(below, welcome(needs.dataset(), (question) => fresh(question, [])));
    document.title = "Eruca";
    first.input.focus();
  }

  return { element, focus: () => first.input.focus(), stop, blank, start, load };
}
