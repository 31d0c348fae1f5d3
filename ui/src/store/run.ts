// The state of one question, as a function of what has come over the stream. No browser is needed to try it.
import type { StreamEvent } from "../net/sse";
import type { Answer, Failure, QueryPart, Rows, Run, Step } from "../types";

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
  reading?: string | null;
  confidence?: Run["confidence"];
  words: Run["words"];
  steps: Step[];
  query?: string | null;
  explanation: QueryPart[];
  rows?: Rows | null;
  /** What a model has written so far. */
  streamed: string;
  answer?: Answer | null;
  error?: Failure | null;
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
  return {
    ...state,
    dataset: data.dataset ?? state.dataset,
    asked: data.asked ?? state.asked,
    lang: data.lang ?? state.lang,
    taken_over: data.taken_over ?? state.taken_over,
    reading: data.reading ?? state.reading,
    confidence: data.confidence ?? state.confidence,
    words: data.words ?? state.words,
  };
}

/** The state when the whole run has come; what it does not tell stays as the events told it. */
function over(state: RunState, run: Run): RunState {
  const phase = run.state === "running" ? "working" : run.state;
  return {
    ...state,
    phase,
    id: run.id,
    run,
    dataset: run.dataset,
    resuming: false,
    streamed: "",
    asked: run.asked,
    lang: run.lang,
    taken_over: run.taken_over,
    words: run.words,
    explanation: run.explanation,
    steps: run.trace?.steps ?? state.steps,
    reading: run.reading ?? state.reading,
    confidence: run.confidence ?? state.confidence,
    query: run.query ?? state.query,
    rows: run.rows ?? state.rows,
    answer: run.answer ?? state.answer,
    error: run.error ?? (phase === "failed" ? state.error : undefined),
  };
}

/** Rows with more behind them. */
function joined(rows: Rows | null | undefined, more: Rows): Rows | null | undefined {
  if (!rows || "boolean" in rows || "boolean" in more) return rows;
  return { ...rows, rows: [...rows.rows, ...more.rows], places: { ...rows.places, ...more.places } };
}

function withMore(state: RunState, more: Rows): RunState {
  const { other } = state;
  if (!other) return { ...state, rows: joined(state.rows, more) };
  return { ...state, other: { ...other, run: { ...other.run, rows: joined(other.run.rows, more) } } };
}

/** What is shown: the answer's run, or another query's in its place. */
export type Shown = Pick<RunState, "id" | "query" | "explanation" | "rows" | "answer" | "run">;

export function shown(state: RunState): Shown {
  const run = state.other?.run;
  return run ? { ...run, run } : state;
}
