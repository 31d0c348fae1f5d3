// The views that need no drawing: a number, a yes or no, names.
import { showTerm } from "../format";
import { t } from "../i18n";
import { Value } from "../parts/thing";
import type { Table } from "../types";

/** One number, big, with its unit. */
export function Big({ rows: { columns, rows } }: { rows: Table }) {
  const column = columns[0];
  const term = rows[0]?.[0];
  return (
    <div class="big">
      <p class="figure">
        <bdi>{term ? showTerm(term, column?.kind) : "–"}</bdi>
        {column?.unit && <span class="unit"> <bdi>{column.unit}</bdi></span>}
      </p>
      <p class="soft"><bdi>{column?.title}</bdi></p>
    </div>
  );
}

/** Yes or no, and what was looked for. */
export function Verdict({ holds, reading }: { holds: boolean; reading?: string | null }) {
  return (
    <div class="big">
      <p class="figure">{holds ? t.yes : t.no}</p>
      {reading && <p class="soft">{t.looked_for}{t.colon}<bdi>{reading}</bdi></p>}
    </div>
  );
}

/** Names, one beside the other. */
export function Names({ rows: { columns, rows } }: { rows: Table }) {
  return <ul class="names">{rows.map((row) => <li><Value term={row[0]} kind={columns[0]?.kind} /></li>)}</ul>;
}
