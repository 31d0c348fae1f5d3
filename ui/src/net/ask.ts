// A question over the stream: asked, followed to its end, taken up again where the connection is lost.
import type { Action } from "../store/run";
import type { Correction, Run } from "../types";
import { ApiError, failureOf, post, request } from "./api";
import { EventReader } from "./sse";

export interface Question {
  dataset: string;
  question: string;
  history: ({ run: string } | { question: string })[];
  /** The language of the answer; that of the question without it. */
  lang?: string;
  /** The language of the page, for questions that do not tell theirs. */
  reader?: string;
  /** Properties that are meant where another would do as well. */
  prefers?: string[];
  /** What words mean, in place of what they would. */
  meanings?: Correction[];
  /** With an article besides the short answer. */
  style?: "article";
  /** A test: what is verified does not answer it. */
  test?: true;
}

type Dispatch = (action: Action) => void;

/** How a stream ended: with its last event, before it, or cancelled by the service because nobody listened. */
type End = "done" | "cut" | "cancelled";

/** Waiting times before the attempts to take a stream up again, in milliseconds. */
const PATIENCE = [100, 300, 1000, 2000, 4000, 8000];

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener("abort", () => (clearTimeout(timer), reject(signal.reason)), { once: true });
  });
}

class Following {
  private last = 0;

  constructor(private readonly dispatch: Dispatch, private readonly signal: AbortSignal) {}

  /** Takes in a response to its end. */
  async read(response: Response, resumed: boolean): Promise<End> {
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    if (!reader) return "cut";
    const events = new EventReader();
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return "cut";
        for (const event of events.push(value)) {
          if (resumed && event.type === "error" && event.data.includes('"cancelled"')) return "cancelled";
          this.last = Math.max(this.last, event.id);
          this.dispatch({ type: "event", event });
          if (event.type === "done") return "done";
        }
      }
    } catch (error) {
      if (this.signal.aborted) throw error;
      return "cut";
    } finally {
      void reader.cancel().catch(() => undefined);
    }
  }

  /** Takes a broken stream up again. */
  async resume(id: string): Promise<End> {
    this.dispatch({ type: "lost" });
    for (let tries = 0; tries < PATIENCE.length; tries++) {
      await pause(PATIENCE[tries] ?? 0, this.signal);
      const before = this.last;
      try {
        const headers = { Accept: "text/event-stream", "Last-Event-ID": String(this.last) };
        const response = await request(`/runs/${encodeURIComponent(id)}/events`, { headers, signal: this.signal });
        const end = await this.read(response, true);
        if (end !== "cut") return end;
        // A line that brings something before it breaks is patiently taken up again, as often as need be.
        if (this.last > before) tries = -1;
      } catch (error) {
        if (this.signal.aborted) throw error;
        // A service that was started anew does not know the run.
        if (error instanceof ApiError && error.failure.code === "unknown_run") return "cancelled";
      }
    }
    return "cut";
  }

  /** A run that is under way, from its beginning. */
  async watch(id: string): Promise<void> {
    if ((await this.resume(id)) === "cut") throw new ApiError({ code: "lost", detail: "" });
  }
}

async function once(question: Question, dispatch: Dispatch, signal: AbortSignal): Promise<End> {
  const headers = { Accept: "text/event-stream" };
  const response = await post("/ask", { ...question, answer: true, alternatives: true }, { headers, signal });
  const id = response.headers.get("eruca-run");
  if (id) dispatch({ type: "opened", id });
  if (response.headers.get("content-type")?.includes("json")) {
    dispatch({ type: "loaded", run: (await response.json()) as Run });
    return "done";
  }
  const following = new Following(dispatch, signal);
  const end = await following.read(response, false);
  return end === "cut" && id ? following.resume(id) : end;
}

/** Asks; `again` is called before the question is asked a second time, which happens at most once. */
export async function ask(question: Question, dispatch: Dispatch, again: () => void, signal: AbortSignal): Promise<void> {
  try {
    let end = await once(question, dispatch, signal);
    if (end === "cancelled") {
      again();
      end = await once(question, dispatch, signal);
    }
    if (end !== "done") dispatch({ type: "failed", error: { code: "lost", detail: "" } });
  } catch (error) {
    dispatch(signal.aborted ? { type: "stopped" } : { type: "failed", error: failureOf(error) });
  }
}

/** Follows a run that is under way. */
export async function follow(id: string, dispatch: Dispatch, signal: AbortSignal): Promise<void> {
  try {
    await new Following(dispatch, signal).watch(id);
  } catch (error) {
    dispatch(signal.aborted ? { type: "stopped" } : { type: "failed", error: failureOf(error) });
  }
}
