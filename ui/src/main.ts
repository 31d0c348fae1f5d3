// The page: which state the address names, and what keys do everywhere.
import { button, fill, h, type Child } from "./dom";
import { lang, speak, spoken, t } from "./i18n";
import { key, recall, remember } from "./keep";
import { api, failureOf } from "./net/api";
import { askPage, type AskPage, type Turn } from "./pages/ask";
import { graphPage } from "./pages/graph";
import { say } from "./parts/copy";
import { dialog } from "./parts/dialog";
import { failure } from "./parts/failure";
import { drawHeader, paint } from "./parts/header";
import { showHistory } from "./parts/history";
import { whenOpened } from "./parts/thing";
import { card } from "./views/card";
import type { Config, Served } from "./types";

interface Kept {
  run?: string;
  turns?: Turn[];
}

const header = document.querySelector("header") as HTMLElement;
const main = document.querySelector("main") as HTMLElement;
let config: Config = {};
/** The graph's id, and the name by which the address calls it. */
let dataset = "";
let graphName = "";
let page: AskPage;

const kept = (): Kept => (history.state ?? {}) as Kept;

function address(hash: string): string {
  return `/?graph=${encodeURIComponent(graphName)}${hash && `#${hash}`}`;
}

function openThing(iri: string, name: string): void {
  document.querySelector<HTMLDialogElement>("dialog.about")?.close();
  dialog(name, card(dataset, iri, config), "side about");
}

/** The address follows what is shown: a new place for a new question, the same place once its run has a name. */
function at(question: string, turns: Turn[], run?: string): void {
  const target = address(`q=${encodeURIComponent(question)}`);
  const state: Kept = { turns, ...(run && { run }) };
  if (run && location.pathname === "/") history.replaceState(state, "", target);
  else history.pushState(state, "", target);
}

function makePage(): AskPage {
  return askPage({ config, dataset: () => dataset, open: openThing, at, goTo: (run) => void showRun(run, [], false, true), key: askKey });
}

async function showRun(id: string, turns: Turn[], shared: boolean, push: boolean): Promise<boolean> {
  try {
    const run = await api.run(id);
    choose(run.dataset === dataset ? graphName : run.dataset);
    if (push) history.pushState({ run: id, turns } satisfies Kept, "", address(`q=${encodeURIComponent(run.question)}`));
    show(page.element);
    page.load(run, turns, shared);
    return true;
  } catch (error) {
    const why = failureOf(error);
    if (why.code === "unauthorized") askKey();
    else if (shared && why.code === "unknown_run") showOnly(failure(why));
    else if (shared) show(plain(failure(why, () => void route())));
    return false;
  }
}

function show(element: HTMLElement): void {
  if (main.firstElementChild !== element || main.childElementCount > 1) fill(main, element);
}

/** Shows what the address names. */
async function route(): Promise<void> {
  const path = /^\/runs\/([\w-]+)$/.exec(location.pathname);
  if (path?.[1]) return void (await showRun(path[1], [], true, false));
  const wanted = graphOf(location.search);
  if (wanted !== null && !served(wanted)) return notServed(wanted);
  choose(wanted ?? graphName);
  const hash = new URLSearchParams(location.hash.slice(1));
  if (location.hash === "#about") {
    document.title = `${t.the_graph} – Eruca`;
    return show(graphPage(dataset, openThing, (question) => (question ? askNow(question) : home())));
  }
  const question = hash.get("q")?.trim();
  const { run, turns = [] } = kept();
  if (run && (await showRun(run, turns, false, false))) return;
  show(page.element);
  if (question) page.start(question, turns);
  else page.blank();
}

function askNow(question: string): void {
  at(question, []);
  show(page.element);
  page.start(question, []);
}

function go(hash: string): void {
  history.pushState(null, "", address(hash));
  void route();
}

const home = (): void => go("");

const graphOf = (search: string): string | null => {
  const parameters = new URLSearchParams(search);
  return parameters.get("graph") ?? parameters.get("dataset");
};

/** The graph that is called so: by its id, or by another name of it. */
function served(name: string): Served | undefined {
  const all = config.datasets ?? [];
  return all.find(({ id }) => id === name) ?? all.find(({ aliases }) => aliases?.includes(name));
}

/** Chooses a graph by any of its names; the first, where there is none of this name. */
function choose(name: string): void {
  const known = served(name);
  dataset = known?.id ?? config.datasets?.[0]?.id ?? name;
  graphName = known ? name : dataset;
  remember("graph", dataset);
  drawAll();
}

/** The address names a graph that is not here: this is said, rather than asking another one. */
function notServed(name: string): void {
  choose("");
  document.title = "Eruca";
  showOnly(failure({ code: "unknown_dataset", detail: name }));
}

const plain = (...content: Child[]): HTMLElement => h("div", null, h("h1", { class: "unseen" }, "Eruca"), content);

/** Something that cannot be tried again: it is left by a new question. */
function showOnly(content: HTMLElement): void {
  show(plain(content, button(t.back_to_ask, home, { class: "main" })));
}

function drawAll(): void {
  document.documentElement.lang = lang;
  const skip = document.querySelector(".skip");
  if (skip) skip.textContent = t.skip;
  drawHeader(header, {
    config, dataset, home,
    choose: (id) => (choose(id), go(location.hash === "#about" ? "about" : "")),
    history: () => showHistory((past) => void openPast(past.id, past.dataset, past.question)),
    graph: () => go("about"),
    speak: (tag) => void speakNow(tag),
  });
}

async function speakNow(tag: string): Promise<void> {
  if (!(await speak(tag))) {
    say(t.errors["network"]?.[0] ?? "");
    return drawAll();
  }
  page = makePage();
  void route();
}

async function openPast(id: string, graph: string, question: string): Promise<void> {
  if (await showRun(id, [], false, true)) return;
  // The service has forgotten it: it is asked anew.
  choose(graph);
  askNow(question);
}

/** Asks for the key of the service, then begins anew. */
function askKey(): void {
  const input = h("input", { type: "password", autocomplete: "off", "aria-label": t.key, required: true });
  const form = h("form", {
    class: "keyform",
    onsubmit: (event: Event) => {
      event.preventDefault();
      key.set(input.value.trim());
      box.close();
      void begin();
    },
  }, h("p", null, t.key_text), h("div", { class: "row" }, input, h("button", { class: "main" }, t.key_go)));
  const box = dialog(t.key_title, form, "middle");
}

function keys(event: KeyboardEvent): void {
  const inside = event.composedPath()[0];
  const writing = inside instanceof HTMLElement && (inside.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(inside.tagName));
  if (event.key === "/" && !writing && !event.ctrlKey && !event.metaKey && !document.querySelector("dialog[open]")) {
    event.preventDefault();
    page.focus();
  } else if (event.key === "Escape" && !event.defaultPrevented && !document.querySelector("dialog[open]")) {
    if (page.stop()) event.preventDefault();
  }
}

async function begin(): Promise<void> {
  const [told] = await Promise.allSettled([api.config(), spoken]);
  if (told.status === "rejected") {
    if (failureOf(told.reason).code === "unauthorized") return askKey();
    return show(failure(failureOf(told.reason), () => void begin()));
  }
  config = told.value;
  if (config.pages?.key && !key.get()) return askKey();
  try {
    // Where a key is asked for, only who has it is told the graphs.
    config.datasets ??= await api.datasets();
  } catch (error) {
    return failureOf(error).code === "unauthorized" ? askKey() : show(failure(failureOf(error), () => void begin()));
  }
  choose(recall("graph") ?? config.datasets?.[0]?.id ?? "");
  page = makePage();
  await route();
}

// The address is the state of the page, so that jumping to a part must not change it.
document.querySelector(".skip")?.addEventListener("click", (event) => {
  event.preventDefault();
  (document.querySelector<HTMLElement>(".outcome") ?? main).focus();
});

paint();
whenOpened(openThing);
addEventListener("popstate", () => void route());
addEventListener("keydown", keys);
void begin();
