// Numbers over names as bars, in the order of the rows.
import { numberOf, showNumber } from "../format";
import { t } from "../i18n";
import type { Table } from "../types";
import { barColumn, rowName } from "./shape";
import { title } from "./table";

export function Bars({ rows }: { rows: Table }) {
  const at = barColumn(rows) ?? 0;
  const column = rows.columns[at];
  const values = rows.rows.flatMap((row) => {
    const text = row[at]?.value;
    const number = numberOf(text);
    return number === undefined || text === undefined ? [] : [{ name: rowName(rows, row), number, text }];
  });
  const most = Math.max(...values.map(({ number }) => Math.abs(number)), Number.MIN_VALUE);
  return (
    <figure class="bars">
      <figcaption class="soft"><bdi>{column && title(column)}</bdi></figcaption>
      <ol aria-label={t.bars_of(column?.title ?? "")}>
        {values.map(({ name, number, text }) => (
          <li>
            <span class="barname"><bdi>{name}</bdi></span>
            <span class="track" aria-hidden="true">
              <span class={number < 0 ? "bar below" : "bar"} style={{ "--share": Math.abs(number) / most }} />
            </span>
            <span class="n">{showNumber(text)}</span>
          </li>
        ))}
      </ol>
    </figure>
  );
}
