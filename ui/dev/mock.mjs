// A service that plays recorded runs, for looking at the page in every state. No dependency; nothing of it is shipped.
//   node dev/mock.mjs [PORT]     then open http://127.0.0.1:PORT/?graph=demo
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { card, entry, hits, runs, why } from "./recorded.mjs";

const TYPES = { html: "text/html; charset=utf-8", js: "text/javascript", css: "text/css", svg: "image/svg+xml" };
const POLICY = "default-src 'self'; img-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
const kept = new Map(Object.entries(runs).map(([id, run]) => [id, { ...run, id }]));
let count = 0;
let cutNext = false;

const json = (response, body, status = 200) => {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
};

async function file(response, name) {
  try {
    const bytes = await readFile(new URL(`../dist/${name}`, import.meta.url));
    response.writeHead(200, { "content-type": TYPES[name.split(".").at(-1)] ?? "text/plain", "content-security-policy": POLICY });
    response.end(bytes);
  } catch {
    json(response, { code: "not_found", detail: "there is nothing at this path" }, 404);
  }
}

async function body(request) {
  let text = "";
  for await (const piece of request) text += piece;
  return JSON.parse(text || "{}");
}

function eventsOf(run) {
  const { words, taken_over, asked, lang, reading, confidence } = run;
  const all = [["reading", { asked, lang, taken_over, words }]];
  for (const step of run.trace?.steps ?? []) all.push(["step", step]);
  if (run.error) return [...all, ["error", run.error], ["done", run]];
  all.push(["reading", { asked, lang, taken_over, reading, confidence, words }]);
  if (run.query) all.push(["query", { query: run.query, explanation: run.explanation }]);
  if (run.rows) all.push(["rows", run.rows]);
  if (run.answer?.by === "model") for (const piece of run.answer.text.match(/\S+\s*/g)) all.push(["token", { text: piece }]);
  if (run.answer) all.push(["answer", run.answer]);
  return [...all, ["done", run]];
}

async function stream(response, run, after, pace) {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache", "eruca-run": run.id });
  let gone = false;
  response.on("close", () => (gone = true));
  for (const [n, [type, data]] of eventsOf(run).entries()) {
    if (n + 1 <= after) continue;
    if (gone) return;
    if (pace === Infinity && n > 3) return;
    response.write(`id: ${n + 1}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`);
    if (cutNext && n === 2) {
      cutNext = false;
      return response.destroy();
    }
    if (pace > 0 && pace !== Infinity) await new Promise((done) => setTimeout(done, pace));
  }
  response.end();
}

function find(question) {
  if (/^slow/i.test(question)) return [runs.model, 400];
  if (/^hang/i.test(question)) return [runs.table, Infinity];
  if (/^cut/i.test(question)) return ((cutNext = true), [runs.table, 20]);
  const known = Object.values(runs).find((run) => run.question.toLowerCase() === question.toLowerCase());
  return [known ?? runs.table, 0];
}

const proposals = [
  { id: "a", kind: "glossary", question: "How many realms are there?", lang: "en", words: "realms", name: "Country", meaning: { kind: "class", iri: "https://example.org/Country" }, at: "2026-01-31T10:00:00Z", by: "shop", entry: "[[glossary]]\nwords = [\"realms\"]\nlang = \"en\"\nclass = \"<https://example.org/Country>\"\n" },
  { id: "b", kind: "question", question: "Who leads?", query: "SELECT ?person WHERE {\n  ?person a <https://example.org/Head>\n}", at: "2026-01-31T10:00:00Z", entry: "[[questions]]\n" },
  { id: "c", kind: "note", question: "", name: "p12", text: "The class of ice of a ship.", at: "2026-01-31T10:00:00Z", by: "a model", entry: "[[notes]]\n" },
];
const trial = {
  questions: 87, broken: 1, left: 0,
  changes: [
    { question: "How many realms are there?", before: { text: "I could not place “realms”.", rows: 1, confidence: "guess" }, after: { text: "There are 26 realms.", rows: 1, confidence: "sure" } },
    { question: "Which countries are there?", verified: "broken", before: { text: "26 countries", rows: 26, confidence: "sure" }, after: { text: "Nothing", rows: 0, confidence: "likely" } },
  ],
};

async function route(request, response) {
  const url = new URL(request.url, "http://mock");
  const path = url.pathname;
  const run = kept.get(/^\/runs\/([^/]+)/.exec(path)?.[1] ?? "");
  const page = request.headers.accept?.includes("text/html");
  if (path === "/" || path === "/learn" || (page && /^\/runs\/[^/]+$/.test(path))) return file(response, "index.html");
  if (path.startsWith("/ui/")) return file(response, path.slice(4));
  if (path === "/config.json") return json(response, { name: "Eruca", pages: { queries: true, feedback: true, proposals: true, key: false, pictures: true }, datasets: [{ id: "demo", name: "Demo: the world", aliases: [] }, { id: "other", name: "Another graph", aliases: [] }] });
  if (path === "/ask") {
    const { question } = await body(request);
    if (question === "overload") return json(response, { code: "overloaded", detail: "8 questions are being answered and 32 wait" }, 503);
    const [found, pace] = find(question);
    const mine = { ...found, question, id: `run${(count += 1)}` };
    kept.set(mine.id, mine);
    return stream(response, mine, 0, pace);
  }
  if (path.endsWith("/card")) return json(response, card);
  if (path.endsWith("/search")) {
    const q = (url.searchParams.get("q") ?? "").toLowerCase();
    const values = url.searchParams.get("kind") === "value";
    return json(response, { hits: hits.filter((hit) => (hit.kind === "value") === values && hit.label.toLowerCase().startsWith(q)) });
  }
  if (path.endsWith("/entry")) return json(response, entry(url.searchParams.get("iri")));
  if (path.endsWith("/places")) return json(response, { places: {} });
  if (path.endsWith("/proposals")) return json(response, { dataset: "demo", proposals });
  if (path.endsWith("/trial")) return json(response, trial);
  if (path.includes("/proposals/")) return json(response, { id: "a", accepted: (await body(request)).accept, file: "learned.toml" });
  if (path === "/feedback") return (await body(request), response.writeHead(204), response.end());
  if (path === "/complete") return json(response, { completions: [] });
  if (path === "/query") {
    const { query } = await body(request);
    if (!/select/i.test(query)) return json(response, { code: "bad_query", detail: "expected SELECT", line: 3, column: 5 }, 400);
    const mine = { ...runs.query, query, id: `run${(count += 1)}` };
    kept.set(mine.id, mine);
    return json(response, mine);
  }
  if (!run) return json(response, { code: path.startsWith("/runs/") ? "unknown_run" : "not_found", detail: "no such run" }, 404);
  if (path.endsWith("/why")) return json(response, { ...why(0), row: Number(path.split("/").at(-2)) });
  if (path.endsWith("/events")) return stream(response, run, Number(request.headers["last-event-id"] ?? 0), 0);
  if (path.endsWith("/rows")) return json(response, { ...run.rows, rows: run.rows.rows.slice(0, 20) });
  return json(response, run);
}

export function serve(port) {
  const server = createServer((request, response) => void route(request, response).catch((error) => json(response, { code: "internal", detail: String(error) }, 500)));
  return new Promise((done) => server.listen(port, "127.0.0.1", () => done(server)));
}

if (import.meta.url === `file://${process.argv[1]}`) {
  const server = await serve(Number(process.argv[2] ?? 8100));
  console.log(`http://127.0.0.1:${server.address().port}/?graph=demo`);
}
