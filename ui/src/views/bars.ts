// Numbers over names as bars, in the order of the rows.
import { bdi, h } from "../dom";
import { numberOf, showNumber } from "../format";
import { t } from "../i18n";
import type { Rows } from "../types";
import { barColumn, rowName } from "./shape";
import { title } from "./table";

export function bars(rows: Rows): HTMLElement {
  const at = barColumn(rows) ?? 0;
  const column = rows.columns?.[at];
  const values = (rows.rows ?? []).flatMap((row) => {
    const text = row[at]?.value;
    const number = numberOf(text);
    return number === undefined || text === undefined ? [] : [{ name: rowName(rows, row), number, text }];
  });
  const most = Math.max(...values.map(({ number }) => Math.abs(number)), Number.MIN_VALUE);
  const bar = ({ name, number, text }: { name: string; number: number; text: string }): HTMLElement =>
    h("li", null,
      h("span", { class: "barname" }, bdi(name)),
      h("span", { class: "track", "aria-hidden": "true" },
        h("span", { class: number < 0 ? "bar below" : "bar", style: { "--share": String(Math.abs(number) / most) } })),
      h("span", { class: "n" }, showNumber(text)));
  return h("figure", { class: "bars" },
    h("figcaption", { class: "soft" }, bdi(column ? title(column) : "")),
    h("ol", { "aria-label": t.bars_of(column?.title ?? "") }, values.map(bar)));
}
