import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { begin, reduce, type Action, type RunState } from "../store/run";
import { ask } from "./ask";

const RUN = { id: "r1", dataset: "d", question: "q", state: "done", rows: { boolean: true }, trace: { steps: [] } };
const TOKENS = ["a", "b", "c", "d"];
const EVENTS: [string, unknown][] = [...TOKENS.map((text): [string, unknown] => ["token", { text }]), ["done", RUN]];

const written = (events: [string, unknown][], from = 0): string =>
  events.slice(from).map(([type, data], n) => `id: ${from + n + 1}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`).join("");

/** A response whose body is sent and then ended, or broken. */
function stream(text: string, breaks = false): Response {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(text));
      if (!breaks) controller.close();
    },
    pull(controller) {
      if (breaks) controller.error(new TypeError("network error"));
    },
  });
  return new Response(body, { headers: { "content-type": "text/event-stream", "eruca-run": "r1" } });
}

type Reply = (path: string, init: RequestInit) => Response | Promise<Response>;
const before = globalThis.fetch;
afterEach(() => (globalThis.fetch = before));

/** Asks with these replies, one for each request. */
async function asked(replies: Reply[], signal = new AbortController().signal): Promise<{ state: RunState; seen: string[]; again: number }> {
  const seen: string[] = [];
  let state = begin("d", "q");
  let again = 0;
  globalThis.fetch = (async (path: string, init: RequestInit) => {
    const after = new Headers(init.headers).get("last-event-id");
    seen.push(after === null ? path : `${path} after ${after}`);
    const reply = replies[Math.min(seen.length - 1, replies.length - 1)];
    return reply?.(path, init);
  }) as typeof fetch;
  const dispatch = (action: Action): void => void (state = reduce(state, action));
  await ask({ dataset: "d", question: "q", history: [] }, dispatch, () => ((again += 1), (state = begin("d", "q"))), signal);
  return { state, seen, again };
}

test("a stream is followed to its end", async () => {
  const { state, seen } = await asked([() => stream(written(EVENTS))]);
  assert.equal(state.phase, "done");
  assert.equal(state.id, "r1");
  assert.deepEqual(seen, ["/ask"]);
});

test("a stream that breaks is taken up again behind the last event, and nothing is lost or doubled", async () => {
  for (const breaks of [true, false]) {
    const cut = stream(written(EVENTS.slice(0, 2)), breaks);
    let streamed = "";
    const rest: Reply = () => {
      streamed = "taken up";
      return stream(written(EVENTS, 2));
    };
    const { state, seen } = await asked([() => cut, rest]);
    assert.equal(streamed, "taken up");
    assert.deepEqual(seen, ["/ask", "/runs/r1/events after 2"]);
    assert.equal(state.phase, "done");
    assert.equal(state.last, 0 + EVENTS.length);
  }
});

test("a line that brings one event before each break is taken up as often as need be", async () => {
  const long: [string, unknown][] = [...Array.from({ length: 9 }, (_, n): [string, unknown] => ["token", { text: String(n) }]), ["done", RUN]];
  const one: Reply = (_, init) => {
    const after = Number(new Headers(init.headers).get("last-event-id") ?? 0);
    return stream(written(long.slice(0, after + 1), after), true);
  };
  const { state, seen } = await asked([one]);
  assert.equal(state.phase, "done");
  assert.deepEqual(seen, ["/ask", ...Array.from({ length: 9 }, (_, n) => `/runs/r1/events after ${n + 1}`)]);
});

test("a run that was given up is asked once more", async () => {
  const cut: Reply = () => stream(written(EVENTS.slice(0, 2)));
  const cancelled: Reply = () => stream(`id: 3\nevent: error\ndata: {"code":"cancelled","detail":""}\n\n`);
  const whole: Reply = () => stream(written(EVENTS));
  const { state, seen, again } = await asked([cut, cancelled, whole]);
  assert.deepEqual(seen, ["/ask", "/runs/r1/events after 2", "/ask"]);
  assert.equal(again, 1);
  assert.equal(state.phase, "done");
});

test("a refusal is told with its code and what the service says", async () => {
  const refusal: Reply = () => new Response(JSON.stringify({ code: "overloaded", detail: "8 at once" }), { status: 503, headers: { "retry-after": "3" } });
  const { state } = await asked([refusal]);
  assert.deepEqual(state.error, { code: "overloaded", detail: "8 at once", retry_after: 3 });
  const html: Reply = () => new Response("<h1>Bad gateway</h1>", { status: 502 });
  assert.equal((await asked([html])).state.error?.code, "endpoint_down");
  const gone: Reply = () => Promise.reject(new TypeError("failed to fetch"));
  assert.equal((await asked([gone])).state.error?.code, "network");
});

test("stopping ends the request and is no error", async () => {
  const stopping = new AbortController();
  const never: Reply = (_, init) => new Promise((_resolve, reject) => {
    init.signal?.addEventListener("abort", () => reject(init.signal?.reason));
    stopping.abort();
  });
  const { state } = await asked([never], stopping.signal);
  assert.equal(state.phase, "cancelled");
  assert.equal(state.error, undefined);
});
