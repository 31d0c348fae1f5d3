// The page: which state the address names, and what keys do everywhere.
import { render, type ComponentChildren } from "preact";
import "./safe";
import { isAny, withAny } from "./any";
import { lang, speak, spoken, t, wished } from "./i18n";
import { articles, key, recall, remember } from "./keep";
import { meanings, sent, withOne, type Mine } from "./meanings";
import { api, failureOf } from "./net/api";
import { Page, titleOf, type Panel, type Screen } from "./pages/page";
import { say } from "./parts/copy";
import { paint } from "./parts/header";
import { KeyForm } from "./parts/keyform";
import { Card, History, loadMore } from "./parts/later";
import { whenOpened } from "./parts/thing";
import { prefers } from "./prefers";
import { Conversation, type Turn } from "./store/conversation";
import { note } from "./store/pasts";
import type { Config, Served } from "./types";

interface Kept {
  run?: string;
  turns?: Turn[];
}

let config: Config | undefined;
/** The graph's id, and the name by which the address calls it. */
let dataset = "";
let graphName = "";
let screen: Screen = { is: "waiting" };
let panel: Panel | undefined;
/** So many panels there have been. */
let panels = 0;

const talk = new Conversation({
  changed: draw,
  named: ({ question }, turns, run) => at(question, turns, run),
  ended({ id, dataset, question, answer }) {
    if (id && question) note({ id, dataset, question, text: answer?.text ?? "", at: new Date().toISOString() });
  },
});

/** The pages on which the owner of a graph decides. */
const OWN: Record<string, "learn" | "test"> = { "/learn": "learn", "/test": "test" };

const kept = (): Kept => (history.state ?? {}) as Kept;

function address(hash: string): string {
  return `/?graph=${encodeURIComponent(graphName)}${hash && `#${hash}`}`;
}

/** The address follows what is shown: a new place for a new question, the same place once its run has a name. */
function at(question: string, turns: Turn[], run?: string): void {
  const target = address(`q=${encodeURIComponent(question)}`);
  const state: Kept = { turns, ...(run && { run }) };
  if (run && location.pathname === "/") history.replaceState(state, "", target);
  else history.pushState(state, "", target);
}

function show(now: Screen): void {
  screen = now;
  draw();
}

function openPanel(title: string, children: ComponentChildren, kind?: string): void {
  const number = (panels += 1);
  // One that has taken its place stays.
  panel = { title, children, kind, number, closed: () => panel?.number === number && closePanel() };
  draw();
}

function closePanel(): void {
  panel = undefined;
  draw();
}

function openThing(iri: string, name: string): void {
  if (config) openPanel(name, <Card dataset={talk.state?.dataset ?? dataset} iri={iri} config={config} />, "side about");
}

const focusBox = (): void => document.querySelector<HTMLElement>(".ask textarea")?.focus({ preventScroll: true });

function start(question: string, turns: Turn[], mine?: Mine): void {
  const chosen = prefers(dataset);
  const kept = meanings(dataset);
  const own = (mine ? withOne(kept, mine) : kept).map(sent);
  screen = { is: "ask" };
  // Until there is an answer, what it is looked at with has come, too.
  loadMore().catch(() => undefined);
  talk.start({ dataset, question, reader: lang, ...(wished && { lang: wished }), ...(chosen.length > 0 && { prefers: chosen }), ...(own.length > 0 && { meanings: own }), ...(articles.wanted() && { style: "article" as const }) }, turns);
  focusBox();
}

/** A question is asked: it becomes a place in the browser's history. */
function ask(question: string, turns: Turn[] = [], mine?: Mine): void {
  at(question, turns);
  start(question, turns, mine);
}

function stop(): boolean {
  const stopped = talk.stop();
  if (stopped) focusBox();
  return stopped;
}

async function showRun(id: string, turns: Turn[], shared: boolean, push: boolean): Promise<boolean> {
  try {
    const run = await api.run(id);
    choose(run.dataset === dataset ? graphName : run.dataset);
    if (push) history.pushState({ run: id, turns } satisfies Kept, "", address(`q=${encodeURIComponent(run.question)}`));
    screen = { is: "ask" };
    talk.load(run, turns, shared);
    return true;
  } catch (error) {
    const why = failureOf(error);
    if (why.code === "unauthorized") askKey();
    else if (shared) show({ is: "failure", error: why, retry: why.code === "unknown_run" ? undefined : () => void route() });
    return false;
  }
}

/** Shows what the address names. */
async function route(): Promise<void> {
  const path = /^\/runs\/([\w-]+)$/.exec(location.pathname);
  if (path?.[1]) return void (await showRun(path[1], [], true, false));
  const wanted = graphOf(location.search);
  if (wanted !== null && !served(wanted)) {
    // This is said, rather than asking another one.
    choose("");
    return show({ is: "failure", error: { code: "unknown_dataset", detail: wanted } });
  }
  choose(wanted ?? graphName);
  const own = OWN[location.pathname];
  if (own) return show({ is: own });
  if (location.hash === "#about" && !isAny(served(dataset))) return show({ is: "about" });
  const question = new URLSearchParams(location.hash.slice(1)).get("q")?.trim();
  const { run, turns = [] } = kept();
  if (run && (await showRun(run, turns, false, false))) return;
  if (question) return start(question, turns);
  screen = { is: "ask" };
  talk.blank();
  focusBox();
}

function go(hash: string): void {
  history.pushState(null, "", address(hash));
  void route();
}

const home = (): void => go("");

/** Shows the graph that was chosen, where somebody looks at graphs, or else the box for a question to it. */
function chosen(): void {
  const path = location.pathname;
  if (!OWN[path]) return go(location.hash === "#about" ? "about" : "");
  history.pushState(null, "", `${path}?graph=${encodeURIComponent(graphName)}`);
  void route();
}

const graphOf = (search: string): string | null => {
  const parameters = new URLSearchParams(search);
  return parameters.get("graph") ?? parameters.get("dataset");
};

/** The graph that is called so: by its id, or by another name of it. */
function served(name: string): Served | undefined {
  const all = config?.datasets ?? [];
  return all.find(({ id }) => id === name) ?? all.find(({ aliases }) => aliases.includes(name));
}

/** Chooses a graph by any of its names; the first, where there is none of this name. */
function choose(name: string): void {
  const known = served(name);
  dataset = known?.id ?? config?.datasets?.[0]?.id ?? name;
  graphName = known ? name : dataset;
  remember("graph", dataset);
}

async function openPast(id: string, graph: string, question: string): Promise<void> {
  closePanel();
  if (await showRun(id, [], false, true)) return;
  // The service has forgotten it: it is asked anew.
  choose(graph);
  ask(question);
}

/** Asks for the key of the service, then begins anew. */
function askKey(): void {
  openPanel(t.key_title, <KeyForm done={() => (closePanel(), void begin())} />, "middle");
}

async function speakNow(tag: string): Promise<void> {
  if (!(await speak(tag))) say(t.errors["network"]?.[0] ?? "");
  draw();
}

/** Draws the page as it is now. */
function draw(): void {
  document.documentElement.lang = lang;
  document.title = titleOf(screen, talk);
  render(
    <Page config={config} dataset={dataset} screen={screen} panel={panel} talk={talk} open={openThing} ask={ask} stop={stop} home={home}
      choose={(id) => (choose(id), chosen())} about={() => go("about")}
      past={() => openPanel(t.history, <History open={({ id, dataset, question }) => void openPast(id, dataset, question)} />)}
      speak={(tag) => void speakNow(tag)} goTo={(run) => void showRun(run, [], false, true)} askKey={askKey} />,
    document.body,
  );
}

function keys(event: KeyboardEvent): void {
  const inside = event.composedPath()[0];
  const writing = inside instanceof HTMLElement && (inside.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(inside.tagName));
  if (panel) return;
  if (event.key === "/" && !writing && !event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    focusBox();
  } else if (event.key === "Escape" && !event.defaultPrevented) {
    if (stop()) event.preventDefault();
  }
}

async function begin(): Promise<void> {
  const failed = (error: unknown): void => {
    const why = failureOf(error);
    if (why.code === "unauthorized") askKey();
    else show({ is: "failure", error: why, retry: () => void begin() });
  };
  try {
    const [told] = await Promise.all([api.config(), spoken]);
    if (told.pages.key && !key.get()) return askKey();
    // Where a key is asked for, only who has it is told the graphs.
    config = { ...told, datasets: withAny(told.datasets ?? (await api.datasets())) };
  } catch (error) {
    // In the reader's words, if they come.
    await spoken;
    return failed(error);
  }
  choose(recall("graph") ?? config.datasets?.[0]?.id ?? "");
  await route();
}

/** Pages of verified questions have a part of the page for themselves. */
async function openBoard(): Promise<void> {
  try {
    (await loadMore()).openBoard();
  } catch (error) {
    show({ is: "failure", error: failureOf(error), retry: () => void openBoard() });
  }
}

paint();
if (location.pathname.startsWith("/q/")) {
  void openBoard();
} else {
  whenOpened(openThing);
  addEventListener("popstate", () => void route());
  addEventListener("keydown", keys);
  void begin();
}
