// What a program computed from the rows of queries: its result as a table, and the program with what it read.
import type { ComponentChildren } from "preact";
import { t } from "../i18n";
import type { Computed } from "../types";
import { Thing } from "./thing";

type Value = Computed["rows"][number][number];

const MAX_ROWS = 200;

function cell(value: Value, names: Computed["names"]): ComponentChildren {
  if (value === null || value === undefined) return "";
  if (typeof value === "string" && names?.[value]) return <Thing iri={value} name={names[value]} />;
  return typeof value === "number" ? value.toLocaleString(undefined, { maximumSignificantDigits: 6 }) : String(value);
}

/** A single value is in the sentence already. */
function Result({ columns, rows, names }: Computed) {
  if (columns.length === 1 && rows.length === 1) return null;
  return (
    <div class="scroller">
      <table>
        <thead><tr>{columns.map((name) => <th><bdi>{name}</bdi></th>)}</tr></thead>
        <tbody>
          {rows.slice(0, MAX_ROWS).map((row) => <tr>{row.map((value) => <td><bdi>{cell(value, names)}</bdi></td>)}</tr>)}
        </tbody>
      </table>
    </div>
  );
}

/** The computed answer, with all that is needed to check it. */
export function ComputedCard(computed: Computed) {
  return (
    <section class="computed">
      <Result {...computed} />
      <details>
        <summary>{t.computed_how}</summary>
        <pre><code>{computed.program}</code></pre>
        {computed.inputs.map(({ name, query, rows, incomplete, from_memory }) => (
          <details>
            <summary><code>{name}</code> <small class="soft">{t.rows(rows)}{incomplete && ` · ${t.incomplete}`}{from_memory && ` · ${t.from_memory}`}</small></summary>
            <pre><code>{query}</code></pre>
          </details>
        ))}
      </details>
    </section>
  );
}
