// The rows: the view that fits best, the others one click away, and what can be done with them.
import { button, fill, h, type Child } from "../dom";
import { nameOf, showTerm } from "../format";
import { t } from "../i18n";
import { icon } from "../icons";
import { recall, remember } from "../keep";
import { api, failureOf } from "../net/api";
import type { Config, Rows, Term } from "../types";
import { bars } from "../views/bars";
import { card } from "../views/card";
import { graph } from "../views/graph";
import { map } from "../views/map";
import { links, ofKind, shapeOf, viewsOf, type View } from "../views/shape";
import { big, list, verdict } from "../views/simple";
import { table, title } from "../views/table";
import { time } from "../views/time";
import { copy, save, say } from "./copy";
import { tabs } from "./tabs";
import { showWhy } from "./why";

export interface ResultNeeds {
  dataset: string;
  rows: Rows;
  run?: string;
  reading?: string;
  /** Whether the rows are numbers for each of something. */
  grouped?: boolean;
  config: Config;
  open: (iri: string, name: string) => void;
  more: (rows: Rows) => void;
}

const LIMIT = 100;

function joined(needs: ResultNeeds): HTMLElement {
  const all = links(needs.rows);
  const things = new Map<string, Term>(all.flatMap(({ from, to }) => [[from.value, from], [to.value, to]]));
  const nodes = [...things].map(([id, term]) => ({ id, name: nameOf(term) }));
  return graph(nodes, all.map(({ from, to, label }) => ({ from: from.value, to: to.value, label })),
    t.links_of(things.size, all.length), needs.open);
}

function single(needs: ResultNeeds): HTMLElement {
  const at = ofKind(needs.rows, "thing")[0] ?? 0;
  const iri = needs.rows.rows?.[0]?.[at]?.value ?? "";
  const other = (needs.rows.columns ?? []).flatMap((column, n) => {
    const term = needs.rows.rows?.[0]?.[n];
    return n === at || !term ? [] : [h("p", { class: "told" }, `${title(column)}${t.colon}`, h("b", null, showTerm(term, column.kind)))];
  });
  return h("div", null, other.length > 0 ? h("div", { class: "padded" }, other) : null,
    card(needs.dataset, iri, needs.config));
}

function rowTable(needs: ResultNeeds): HTMLElement {
  const { run, rows } = needs;
  const loaded = rows.rows?.length ?? 0;
  const beyond = run && (rows.row_count ?? loaded) > loaded;
  const more = async (): Promise<void> => {
    try {
      needs.more(await api.rows(run ?? "", loaded, LIMIT));
    } catch (error) {
      say(t.errors[failureOf(error).code]?.[0] ?? failureOf(error).detail);
    }
  };
  return table(rows, { ...(run && { why: (row: number, into: HTMLElement) => showWhy(run, row, into) }), ...(beyond && { more }) });
}

function draw(view: View, needs: ResultNeeds): HTMLElement {
  switch (view) {
    case "big": return big(needs.rows);
    case "verdict": return verdict(needs.rows, needs.reading);
    case "list": return list(needs.rows);
    case "bars": return bars(needs.rows);
    case "time": return time(needs.rows);
    case "map": return map(needs.rows, needs.config);
    case "graph": return joined(needs);
    case "card": return single(needs);
    case "table": return rowTable(needs);
  }
}

/** The rows as text with tabs, as a sheet takes them. */
export function asText({ columns = [], rows = [] }: Rows): string {
  const clean = (text: string): string => text.replace(/[\t\n\r]+/g, " ");
  const cell = (term: Term | null): string => (term ? clean(term.type === "literal" ? term.value : nameOf(term)) : "");
  return [columns.map((column) => clean(title(column))), ...rows.map((row) => row.map(cell))].map((line) => line.join("\t")).join("\n");
}

const FORMATS = [
  ["CSV", "text/csv", "csv"], ["TSV", "text/tab-separated-values", "tsv"], ["JSON", "application/sparql-results+json", "json"],
] as const;

function downloads(run: string): HTMLElement {
  const fetch = (type: string, end: string): void => {
    api.file(run, type).then((blob) => save(blob, `rows.${end}`)).catch((error) => say(t.errors[failureOf(error).code]?.[0] ?? ""));
  };
  const menu = h("details", { class: "menu" }, h("summary", null, t.download), h("div", { class: "items" },
    FORMATS.map(([name, type, end]) => button(name, () => (fetch(type, end), menu.removeAttribute("open")), { "aria-label": t.download_as(name) }))));
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !menu.open) return;
    event.stopPropagation();
    menu.open = false;
    menu.querySelector("summary")?.focus();
  });
  return menu;
}

function tools({ rows, run }: ResultNeeds): Child {
  if (rows.boolean !== undefined) return null;
  return [button(t.copy, () => void copy(asText(rows), t.copied), { class: "link" }), run ? downloads(run) : null];
}

/** Places of the things, where the graph knows any; they make the map possible. */
async function withPlaces(needs: ResultNeeds): Promise<Rows | undefined> {
  const { rows, dataset } = needs;
  const things = ofKind(rows, "thing");
  if (rows.places || things.length === 0) return undefined;
  const iris = (rows.rows ?? []).flatMap((row) => things.flatMap((at) => (row[at]?.type === "uri" ? [row[at].value] : [])));
  const places = await api.places(dataset, [...new Set(iris)]);
  return Object.keys(places).length > 0 ? { ...rows, places } : undefined;
}

/** For what is one row: its why, under the view. */
function whyFoot(needs: ResultNeeds, view: View): Child {
  const { run } = needs;
  if (!run || !(view === "big" || view === "verdict" || view === "card")) return null;
  const box = h("div", { class: "proof padded", hidden: true });
  const toggle = button([icon("right"), t.why], () => {
    box.hidden = !box.hidden;
    toggle.setAttribute("aria-expanded", String(!box.hidden));
    if (!box.hidden && !box.hasChildNodes()) showWhy(run, 0, box);
  }, { class: "link why", "aria-expanded": "false" });
  return [h("div", { class: "row" }, h("span", { class: "grow" }), toggle), box];
}

/** The card of the results; nothing when there is nothing to show. */
export function results(needs: ResultNeeds): HTMLElement | null {
  const views = viewsOf(needs.rows, needs.grouped);
  const first = views[0];
  if (!first) return null;
  let now = needs;
  const keep = `view.${shapeOf(needs.rows)}`;
  const wish = recall(keep) as View | null;
  const panel = h("div");
  let current: View | undefined;
  const show = (view: View): void => {
    if (current !== undefined && current !== view) remember(keep, view);
    current = view;
    fill(panel, draw(view, now), whyFoot(now, view));
  };
  const named = (id: View): { id: View; title: string } => ({ id, title: t.views[id] });
  const bar = tabs({
    name: t.view_as, all: views.map(named), chosen: wish && views.includes(wish) ? wish : first, show, panel, tools: tools(needs),
  });
  withPlaces(needs)
    .then((rows) => {
      if (!rows) return;
      now = { ...now, rows };
      for (const view of viewsOf(rows, needs.grouped)) if (!views.includes(view)) bar.add(named(view));
      if (wish === "map" && !views.includes("map")) bar.choose("map");
    })
    // Without places there is no map, which is no failure.
    .catch(() => undefined);
  const name = t.rows(needs.rows.row_count ?? needs.rows.rows?.length ?? 0);
  return h("section", { class: "card results", "aria-label": name }, bar.element, panel);
}
