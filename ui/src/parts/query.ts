// The query: coloured, in words, and as an editor that runs it in the place of the answer's.
import { button, fill, h, type Child } from "../dom";
import { lang, t } from "../i18n";
import type { OpenEditor, Suggestion } from "../lazy/editor";
import { api, failureOf } from "../net/api";
import type { Failure, QueryPart } from "../types";
import { copy } from "./copy";
import { failure } from "./failure";
import { loadEditor } from "./load";
import { highlighted } from "./sparql";
import { tabs } from "./tabs";
import { outward } from "./thing";

export interface QueryNeeds {
  dataset: string;
  query: string;
  /** The query that the rows come from, where it has more columns. */
  rowsQuery?: string;
  explanation: QueryPart[];
  editor?: string;
  /** Runs a query in the place of the answer's; absent where that is not allowed. */
  run?: (query: string) => Promise<void>;
}

const PREFIX = /prefix\s+([\p{L}\w-]*:)\s*<([^<>]*)>/giu;

/** An IRI as the query would write it: with one of its prefixes, else in brackets. */
export function written(iri: string, query: string): string {
  for (const [, prefix = "", space = ""] of query.matchAll(PREFIX)) {
    if (space && iri.startsWith(space) && /^[\p{L}\w][\p{L}\w-]*$/u.test(iri.slice(space.length))) {
      return prefix + iri.slice(space.length);
    }
  }
  return `<${iri}>`;
}

async function suggestions(needs: QueryNeeds, text: string): Promise<Suggestion[]> {
  try {
    const hits = await api.search(needs.dataset, text, "any", lang);
    return hits.map((hit) => ({ text: written(hit.iri, needs.query), label: hit.label, note: t.kinds[hit.kind] ?? hit.kind }));
  } catch {
    // Without suggestions a query can still be written.
    return [];
  }
}

function inWords(parts: QueryPart[]): Child {
  if (parts.length === 0) return h("p", { class: "soft padded" }, "–");
  const row = (part: QueryPart): HTMLElement =>
    h("div", { class: "said" }, h("dt", null, h("code", null, highlighted(part.sparql))), h("dd", { dir: "auto" }, part.words));
  return h("dl", { class: "words" }, parts.map(row));
}

function where(error: Failure): string {
  return error.line ? `${t.at_line(error.line, error.column)}${t.colon}${error.detail}` : error.detail;
}

function editing(needs: QueryNeeds, close: () => void): HTMLElement {
  const box = h("div", { class: "codebox" });
  const message = h("div", { class: "editmessage" });
  let editor: OpenEditor | undefined;
  const run = async (query: string): Promise<void> => {
    start.disabled = true;
    fill(message);
    try {
      await needs.run?.(query);
    } catch (error) {
      const told = failureOf(error);
      fill(message, failure({ ...told, detail: where(told) }));
      if (told.line) editor?.mark(told.line, told.column);
    } finally {
      start.disabled = false;
    }
  };
  const start = button(t.run, () => void run(editor?.text() ?? needs.query), { class: "main" });
  loadEditor()
    .then(({ openEditor }) => {
      editor = openEditor(box, {
        query: needs.query, name: t.editor, help: t.editor_help, cancel: close,
        run: (query) => void run(query), suggest: (text) => suggestions(needs, text),
      });
    })
    .catch((error) => fill(box, failure(failureOf(error))));
  return h("div", null, box, message,
    h("div", { class: "row" }, start, button(t.cancel, close, { class: "plain" }), h("span", { class: "soft small" }, t.editor_help)));
}

const shown = (query: string, name: string): HTMLElement =>
  h("pre", { class: "query", tabindex: 0, "aria-label": name }, h("code", null, highlighted(query)));

/** The card of the query. `foot` is what stands under it. */
export function queryCard(needs: QueryNeeds, foot: Child): HTMLElement {
  const body = h("div");
  const edit = needs.run
    ? button(t.edit, () => fill(body, editing(needs, () => (bar.choose("query"), edit?.focus()))), { class: "link" })
    : null;
  const bar = tabs({
    name: t.query,
    all: [{ id: "query", title: t.query }, { id: "words", title: t.in_words },
      ...(needs.rowsQuery ? [{ id: "rows", title: t.rows_query }] : [])],
    chosen: "query",
    show: (id) => fill(body, id === "words" ? inWords(needs.explanation)
      : id === "rows" ? [h("p", { class: "soft padded" }, t.rows_query_why), shown(needs.rowsQuery ?? "", t.rows_query)]
      : shown(needs.query, t.query)),
    panel: body,
    tools: [edit, button(t.copy, () => void copy(needs.query, t.copied), { class: "link" })],
  });
  const own = needs.editor ? outward(t.own_editor, needs.editor) : null;
  return h("section", { class: "card", "aria-label": t.query }, bar.element, body,
    own || foot ? h("div", { class: "row foot" }, own, h("span", { class: "grow" }), foot) : null);
}
