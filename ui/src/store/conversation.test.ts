import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { aRun, aTable } from "../fixtures";
import { Conversation, type Turn } from "./conversation";

const before = globalThis.fetch;
afterEach(() => (globalThis.fetch = before));

const asked = (question: string) => ({ dataset: "demo", question });
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

/** A stream that says these events when it is told to. */
function line(run: string): { response: Response; say: (type: string, data: unknown) => void } {
  let out: ReadableStreamDefaultController<Uint8Array>;
  let count = 0;
  const body = new ReadableStream<Uint8Array>({ start: (controller) => void (out = controller) });
  const say = (type: string, data: unknown): void =>
    out.enqueue(new TextEncoder().encode(`id: ${(count += 1)}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`));
  return { response: new Response(body, { headers: { "content-type": "text/event-stream", "eruca-run": run } }), say };
}

interface Seen {
  talk: Conversation;
  named: [string, string][];
  ended: string[];
  sent: { path: string; body: { history?: unknown } }[];
  drawn: () => number;
}

/** A conversation whose requests get these responses, in their order. */
function conversation(responses: (Response | Promise<Response>)[]): Seen {
  const [named, ended, sent]: [Seen["named"], string[], Seen["sent"]] = [[], [], []];
  let drawn = 0;
  globalThis.fetch = (async (path: string, init: RequestInit) => {
    sent.push({ path, body: JSON.parse(String(init.body ?? "{}")) });
    return responses[sent.length - 1];
  }) as typeof fetch;
  const talk = new Conversation({
    changed: () => void (drawn += 1), named: ({ question }, _, run) => void named.push([question, run]),
    ended: ({ question }) => void ended.push(question),
  });
  return { talk, named, ended, sent, drawn: () => drawn };
}

test("a question is shown as it is answered, and tells its name and its end", async () => {
  const { response, say } = line("r1");
  const { talk, named, ended, drawn } = conversation([response]);
  talk.start(asked("How long is the Danube?"), []);
  assert.deepEqual([talk.state?.phase, talk.state?.question, talk.number], ["working", "How long is the Danube?", 1]);
  await settled();
  assert.deepEqual(named, [["How long is the Danube?", "r1"]]);
  const first = drawn();
  say("token", { text: "It" });
  await settled();
  assert.equal(talk.state?.streamed, "It");
  assert.ok(drawn() > first);
  say("done", aRun());
  await settled();
  assert.deepEqual([talk.state?.phase, ended], ["done", ["How long is the Danube?"]]);
});

test("events of a question that was given up do not reach the next one", async () => {
  const [one, two] = [line("r1"), line("r2")];
  const { talk, ended } = conversation([one.response, two.response]);
  talk.start(asked("one"), []);
  await settled();
  talk.start(asked("two"), []);
  await settled();
  one.say("token", { text: "of one" });
  one.say("done", aRun({ question: "one" }));
  two.say("token", { text: "of two" });
  await settled();
  assert.deepEqual([talk.state?.question, talk.state?.streamed, talk.state?.id, talk.number, ended], ["two", "of two", "r2", 2, []]);
});

test("what is stopped takes in nothing more, and is stopped once", async () => {
  const { response, say } = line("r1");
  const { talk, ended } = conversation([response]);
  talk.start(asked("one"), []);
  await settled();
  assert.deepEqual([talk.stop(), talk.stop()], [true, false]);
  say("done", aRun());
  await settled();
  assert.deepEqual([talk.state?.phase, talk.state?.error, ended], ["cancelled", undefined, []]);
});

test("the last questions go with the next one: by the name of their run, where it has one", async () => {
  const turns: Turn[] = ["a", "b", "c", "d", "e"].map((question, n) => ({ question, text: "", ...(n > 1 && { id: `r${n}` }) }));
  const { talk, sent } = conversation([line("r9").response]);
  talk.start(asked("f"), turns);
  await settled();
  assert.deepEqual(sent[0]?.body.history, [{ question: "b" }, { run: "r2" }, { run: "r3" }, { run: "r4" }]);
  assert.equal(talk.after(), turns, "it is not answered yet");
});

test("a run that is opened brings the questions that it follows", () => {
  const { talk } = conversation([]);
  talk.load(aRun({ question: "And its source?", follows: ["How long is the Danube?"] }), [], true);
  assert.deepEqual([talk.state?.shared, talk.turns], [true, [{ question: "How long is the Danube?", text: "" }]]);
  assert.deepEqual(talk.after().at(-1), { id: "r1", question: "And its source?", text: "" });
  talk.blank();
  assert.deepEqual([talk.state, talk.turns], [undefined, []]);
});

test("another query's run is shown for the question that it was tried for, and for no other", async () => {
  const tried = aRun({ id: "r2", rows: aTable([], [[null]]) });
  const { talk } = conversation([Response.json(tried), new Promise((resolve) => setTimeout(() => resolve(Response.json(tried)), 20))]);
  talk.load(aRun(), [], false);
  await talk.tryQuery("edited", "", "SELECT * {}", "en");
  assert.equal(talk.state?.other?.run.id, "r2");
  const late = talk.tryQuery("edited", "", "SELECT * {}", "en");
  talk.load(aRun({ id: "r3" }), [], false);
  await late;
  assert.equal(talk.state?.other, undefined);
});

test("a query that is refused changes nothing and is told", async () => {
  const { talk } = conversation([Response.json({ code: "bad_query", detail: "expected SELECT", line: 3 }, { status: 400 })]);
  talk.load(aRun(), [], false);
  await assert.rejects(talk.tryQuery("edited", "", "nonsense", "en"), /expected SELECT/);
  assert.equal(talk.state?.other, undefined);
});
