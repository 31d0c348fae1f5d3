// The rows as a table: sorted, filtered, in pages, each row with its why, numbers with a bar in their cell.
import { bdi, button, fill, h, type Child } from "../dom";
import { nameOf, numberOf, showTerm, yearsOf } from "../format";
import { lang, t } from "../i18n";
import { icon } from "../icons";
import { value } from "../parts/thing";
import type { Column, Rows, Term } from "../types";
import { barColumn, rowName } from "./shape";

const PAGE = 20;
const NUMERIC = new Set(["number", "year"]);

export interface TableNeeds {
  /** Shows the why of a row in this element. */
  why?: (row: number, into: HTMLElement) => void;
  /** Loads more rows, where there are more. */
  more?: () => Promise<void>;
}

interface Order {
  column: number;
  down: boolean;
}

function compare(a: Term | null | undefined, b: Term | null | undefined, kind: string): number {
  if (!a || !b) return a ? -1 : b ? 1 : 0;
  const read = kind === "number" ? numberOf : kind === "year" || kind === "date" ? yearsOf : () => undefined;
  const [left, right] = [read(a.value), read(b.value)];
  if (left !== undefined && right !== undefined) return left - right;
  return nameOf(a).localeCompare(nameOf(b), lang, { numeric: true });
}

/** The places of the rows that are wanted, in their order. */
export function arrange(rows: Rows, filter: string, order: Order | undefined): number[] {
  const all = rows.rows ?? [];
  const columns = rows.columns ?? [];
  const words = filter.toLocaleLowerCase(lang).split(/\s+/).filter(Boolean);
  const fits = (row: (Term | null)[]): boolean => {
    const text = row.map((term, at) => (term ? showTerm(term, columns[at]?.kind) : "")).join(" ").toLocaleLowerCase(lang);
    return words.every((word) => text.includes(word));
  };
  const wanted = all.flatMap((row, index) => (fits(row) ? [index] : []));
  if (!order) return wanted;
  const kind = columns[order.column]?.kind ?? "text";
  const sorted = wanted.sort((a, b) => compare(all[a]?.[order.column], all[b]?.[order.column], kind));
  return order.down ? sorted.reverse() : sorted;
}

export function title(column: Column): string {
  return column.unit ? `${column.title}, ${column.unit}` : column.title;
}

/** How long the bar in a cell is, as a share of the longest. */
function shares(rows: Rows): { column: number; of: (row: (Term | null)[]) => number } | undefined {
  const column = barColumn(rows);
  if (column === undefined) return undefined;
  const values = (rows.rows ?? []).map((row) => numberOf(row[column]?.value) ?? 0);
  const most = Math.max(...values);
  if (most <= 0 || Math.min(...values) < 0) return undefined;
  return { column, of: (row) => (numberOf(row[column]?.value) ?? 0) / most };
}

export function table(rows: Rows, needs: TableNeeds): HTMLElement {
  const columns = rows.columns ?? [];
  const all = rows.rows ?? [];
  const bars = shares(rows);
  let order: Order | undefined;
  let filter = "";
  let page = 0;

  const cell = (term: Term | null, at: number, row: (Term | null)[]): HTMLElement => {
    const kind = columns[at]?.kind ?? "text";
    const numeric = NUMERIC.has(kind);
    if (bars?.column !== at || !term) return h("td", { class: numeric ? "n" : "" }, value(term, kind));
    const bar = h("span", { class: "cellbar", "aria-hidden": "true", style: { "--share": String(bars.of(row)) } });
    return h("td", { class: "n barred" }, value(term, kind), bar);
  };

  const whyRow = (index: number, row: (Term | null)[]): { cell: Child; proof: Child } => {
    if (!needs.why) return { cell: null, proof: null };
    const box = h("td", { colspan: columns.length + 1 });
    const proof = h("tr", { class: "proof", hidden: true }, box);
    const name = rowName(rows, row) || t.why_row(index + 1);
    const toggle = button([icon("right"), t.why], () => {
      proof.hidden = !proof.hidden;
      toggle.setAttribute("aria-expanded", String(!proof.hidden));
      if (!proof.hidden && !box.hasChildNodes()) needs.why?.(index, box);
    }, { class: "link why", "aria-expanded": "false", "aria-label": t.why_of(name) });
    return { cell: h("td", { class: "whycell" }, toggle), proof };
  };

  const bodyRow = (index: number): Child => {
    const row = all[index] ?? [];
    const { cell: why, proof } = whyRow(index, row);
    return [h("tr", null, row.map((term, at) => cell(term, at, row)), why), proof];
  };

  const body = h("tbody");
  const pager = h("nav", { class: "pager", "aria-label": t.pages });
  const head = h("thead");
  const state = h("span", { class: "soft", role: "status" });

  const draw = (): void => {
    const wanted = arrange(rows, filter, order);
    const from = page * PAGE;
    fill(body, wanted.slice(from, from + PAGE).map(bodyRow));
    fill(state, filter ? t.filtered(wanted.length, all.length) : "");
    fill(pager, pages(wanted.length));
    pager.hidden = !pager.hasChildNodes();
    for (const [at, cell] of [...head.querySelectorAll("th[data-at]")].entries()) {
      cell.setAttribute("aria-sort", order?.column === at ? (order.down ? "descending" : "ascending") : "none");
    }
  };

  const go = (to: number): void => {
    page = to;
    draw();
  };

  const pages = (count: number): Child => {
    const from = page * PAGE;
    const last = from + PAGE >= count;
    const beyond = last && !filter && needs.more;
    if (count <= PAGE && !beyond) return null;
    const more = button(t.load_more, () => {
      more.disabled = true;
      void needs.more?.().finally(() => (more.disabled = false));
    }, { class: "plain" });
    return [
      button(t.previous, () => go(page - 1), { class: "plain", disabled: page === 0 }),
      h("span", null, t.page(from + 1, Math.min(from + PAGE, count), count.toLocaleString(lang))),
      beyond ? more : button(t.next, () => go(page + 1), { class: "plain", disabled: last }),
    ];
  };

  const header = (column: Column, at: number): HTMLElement => {
    const sort = button([bdi(title(column)), icon("sort")], () => {
      order = order?.column !== at ? { column: at, down: column.kind === "number" } : { column: at, down: !order.down };
      page = 0;
      draw();
    }, { class: "sort", title: t.sort_by(column.title) });
    return h("th", { scope: "col", class: NUMERIC.has(column.kind) ? "n" : "", "data-at": at }, sort);
  };

  fill(head, h("tr", null, columns.map(header), needs.why ? h("td") : null));
  const search = h("input", {
    type: "search", placeholder: t.filter, "aria-label": t.filter,
    oninput: () => ((filter = search.value), (page = 0), draw()),
  });
  draw();
  const tools = all.length > 8 ? h("div", { class: "row tools" }, search, state) : null;
  const scroller = h("div", { class: "scroller", tabindex: 0, role: "region", "aria-label": t.views.table },
    h("table", null, head, body));
  return h("div", null, tools, scroller, pager);
}
