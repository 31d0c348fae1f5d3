// The state of one question, as a function of what has come over the stream. No browser is needed to try it.
import type { StreamEvent } from "../net/sse";
import type { Answer, Failure, QueryPart, Rows, Run, Step, Word } from "../types";

export interface RunState {
  phase: "working" | "done" | "failed" | "cancelled";
  dataset: string;
  question: string;
  id?: string;
  /** The number of the last event that was taken in. */
  last: number;
  /** The stream is broken and is being taken up again. */
  resuming: boolean;
  /** Opened from a link rather than asked here. */
  shared: boolean;
  asked?: string;
  lang?: string;
  taken_over: string[];
  reading?: string;
  confidence?: Run["confidence"];
  words: Word[];
  steps: Step[];
  query?: string;
  explanation: QueryPart[];
  rows?: Rows;
  /** What a model has written so far. */
  streamed: string;
  answer?: Answer;
  error?: Failure;
  /** The whole run, when it is over. */
  run?: Run;
  /** Another query's run, shown in the place of the answer's. */
  other?: { kind: "edited" | "other_reading" | "dropped"; title: string; run: Run };
}

export type Action =
  | { type: "opened"; id: string }
  | { type: "event"; event: StreamEvent }
  | { type: "lost" }
  | { type: "stopped" }
  | { type: "failed"; error: Failure }
  | { type: "loaded"; run: Run }
  | { type: "more"; rows: Rows }
  | { type: "other"; other: NonNullable<RunState["other"]> }
  | { type: "back" };

/** A question that has just been asked. */
export function begin(dataset: string, question: string): RunState {
  return {
    phase: "working", dataset, question, last: 0, resuming: false, shared: false,
    taken_over: [], words: [], steps: [], explanation: [], streamed: "",
  };
}

/** A run that was kept, opened from its link. */
export function opened(run: Run): RunState {
  return { ...over(begin(run.dataset, run.question), run), shared: true };
}

/** The state after something has happened. */
export function reduce(state: RunState, action: Action): RunState {
  switch (action.type) {
    case "opened":
      return { ...state, id: action.id };
    case "event":
      return takeEvent(state, action.event);
    case "lost":
      return state.phase === "working" ? { ...state, resuming: true } : state;
    case "stopped":
      return state.phase === "working" ? { ...state, phase: "cancelled", resuming: false } : state;
    case "failed":
      return { ...state, phase: "failed", resuming: false, error: action.error };
    case "loaded":
      return over(state, action.run);
    case "more":
      return withMore(state, action.rows);
    case "other":
      return { ...state, other: action.other };
    case "back": {
      const { other: _, ...rest } = state;
      return rest;
    }
  }
}

/** Events come in their order; one that has been seen already (a replay) or that cannot be read changes nothing. */
function takeEvent(state: RunState, event: StreamEvent): RunState {
  if (event.id <= state.last || state.phase !== "working") return state;
  const at = { ...state, last: event.id, resuming: false };
  let data: unknown;
  try {
    data = JSON.parse(event.data);
  } catch {
    return at;
  }
  return typeof data === "object" && data !== null ? apply(at, event.type, data) : at;
}

function apply(state: RunState, type: string, data: object): RunState {
  switch (type) {
    case "step":
      return { ...state, steps: [...state.steps, data as Step] };
    case "reading":
      return withReading(state, data as Partial<Run>);
    case "query": {
      const { query, explanation } = data as { query: string; explanation?: QueryPart[] };
      return { ...state, query, explanation: explanation ?? [] };
    }
    case "rows":
      return { ...state, rows: data as Rows };
    case "token":
      return { ...state, streamed: state.streamed + String((data as { text?: string }).text ?? "") };
    case "answer":
      return { ...state, answer: data as Answer, streamed: "" };
    case "error":
      return { ...state, error: data as Failure };
    case "done":
      return over(state, data as Run);
    default:
      return state;
  }
}

function withReading(state: RunState, data: Partial<Run>): RunState {
  const { asked, lang, taken_over, reading, confidence, words } = data;
  return {
    ...state,
    ...(asked !== undefined && { asked }),
    ...(lang !== undefined && { lang }),
    ...(taken_over && { taken_over }),
    ...(reading !== undefined && { reading }),
    ...(confidence && { confidence }),
    ...(words && { words }),
  };
}

/** What is the same as before keeps its identity, so that what shows it is not drawn anew. */
function kept<T>(before: T, after: T | null | undefined): T {
  if (after === undefined || after === null) return before;
  return JSON.stringify(before) === JSON.stringify(after) ? before : after;
}

function over(state: RunState, run: Run): RunState {
  const phase = run.state === "running" ? "working" : run.state;
  const { error: _, ...rest } = state;
  const error = run.error ?? (phase === "failed" ? state.error : undefined);
  const next: RunState = {
    ...rest,
    phase,
    id: run.id,
    run,
    dataset: run.dataset,
    resuming: false,
    streamed: "",
    taken_over: kept(state.taken_over, run.taken_over),
    words: kept(state.words, run.words),
    steps: kept(state.steps, run.trace?.steps),
    explanation: kept(state.explanation, run.explanation),
  };
  const optional = {
    asked: kept(state.asked, run.asked),
    lang: kept(state.lang, run.lang),
    reading: kept(state.reading, run.reading),
    confidence: kept(state.confidence, run.confidence),
    query: kept(state.query, run.query),
    rows: kept(state.rows, run.rows),
    answer: kept(state.answer, run.answer),
    error,
  };
  return Object.assign(next, Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined)));
}

function withMore(state: RunState, more: Rows): RunState {
  const add = (rows: Rows | undefined): Rows | undefined =>
    rows && { ...rows, rows: [...(rows.rows ?? []), ...(more.rows ?? [])], places: { ...rows.places, ...more.places } };
  if (state.other) {
    const rows = add(state.other.run.rows);
    return rows ? { ...state, other: { ...state.other, run: { ...state.other.run, rows } } } : state;
  }
  const rows = add(state.rows);
  return rows ? { ...state, rows } : state;
}

/** What is shown: the answer's run, or another query's in its place. */
export interface Shown {
  id?: string;
  query?: string;
  explanation: QueryPart[];
  rows?: Rows;
  answer?: Answer;
  run?: Run;
}

export function shown(state: RunState): Shown {
  const { other } = state;
  if (!other) return state;
  const { run } = other;
  return { ...run, explanation: run.explanation ?? [], run };
}
