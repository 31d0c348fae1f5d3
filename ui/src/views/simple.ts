// The views that need no drawing: a number, a yes or no, names.
import { bdi, h } from "../dom";
import { showTerm } from "../format";
import { t } from "../i18n";
import { value } from "../parts/thing";
import type { Rows } from "../types";

/** One number, big, with its unit. */
export function big(rows: Rows): HTMLElement {
  const column = rows.columns?.[0];
  const term = rows.rows?.[0]?.[0];
  const text = term ? showTerm(term, column?.kind) : "–";
  return h("div", { class: "big" },
    h("p", { class: "figure" }, bdi(text), column?.unit ? h("span", { class: "unit" }, " ", bdi(column.unit)) : null),
    h("p", { class: "soft" }, bdi(column?.title ?? "")));
}

/** Yes or no, and what was looked for. */
export function verdict(rows: Rows, reading?: string): HTMLElement {
  return h("div", { class: "big" },
    h("p", { class: "figure" }, rows.boolean ? t.yes : t.no),
    reading ? h("p", { class: "soft" }, `${t.looked_for}${t.colon}`, bdi(reading)) : null);
}

/** Names, one beside the other. */
export function list(rows: Rows): HTMLElement {
  const kind = rows.columns?.[0]?.kind;
  return h("ul", { class: "names" }, (rows.rows ?? []).map((row) => h("li", null, value(row[0], kind))));
}
