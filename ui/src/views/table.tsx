// The rows as a table: sorted, filtered, in pages, each row with its why, numbers with a bar in their cell.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { nameOf, numberOf, showTerm, yearsOf } from "../format";
import { lang, t } from "../i18n";
import { Icon } from "../icons";
import { Why } from "../parts/later";
import { Value } from "../parts/thing";
import type { Column, Row, Table, Term } from "../types";
import { barColumn, rowName } from "./shape";

const PAGE = 20;
const NUMERIC = new Set(["number", "year"]);

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
export function arrange(rows: Table, filter: string, order: Order | undefined): number[] {
  const { rows: all, columns } = rows;
  const words = filter.toLocaleLowerCase(lang).split(/\s+/).filter(Boolean);
  const fits = (row: Row): boolean => {
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

/** How long the bar in a cell is, as a share of the longest; nothing for a column without bars. */
function barsOf(rows: Table): (at: number, row: Row) => number | undefined {
  const column = barColumn(rows);
  const read = (row: Row): number => (column === undefined ? 0 : (numberOf(row[column]?.value) ?? 0));
  const values = rows.rows.map(read);
  const most = Math.max(...values);
  const fit = most > 0 && Math.min(...values) >= 0;
  return (at, row) => (fit && at === column && row[at] ? read(row) / most : undefined);
}

function Cell({ term, kind = "text", share }: { term: Term | null; kind?: string; share: number | undefined }) {
  if (share === undefined) return <td class={NUMERIC.has(kind) ? "n" : undefined}><Value term={term} kind={kind} /></td>;
  return (
    <td class="n barred">
      <Value term={term} kind={kind} /><span class="cellbar" aria-hidden="true" style={{ "--share": share }} />
    </td>
  );
}

/** A row, and under it why it is an answer, when somebody wants to know. */
function Line({ cells, span, run, index, name }: { cells: ComponentChildren; span: number; run?: string; index: number; name: string }) {
  const [open, set] = useState<boolean>();
  if (!run) return <tr>{cells}</tr>;
  return (
    <>
      <tr>
        {cells}
        <td class="whycell">
          <button class="link why" aria-expanded={open ?? false} aria-label={t.why_of(name)} onClick={() => set(!open)}>
            <Icon name="right" />{t.why}
          </button>
        </td>
      </tr>
      <tr class="proof" hidden={!open}><td colSpan={span}>{open !== undefined && <Why run={run} row={index} />}</td></tr>
    </>
  );
}

interface PagerNeeds {
  page: number;
  count: number;
  whole: number;
  go: (page: number) => void;
  more?: () => Promise<void>;
  name?: string;
}

/** A label with what tells it from others on the page. */
const named = (label: string, name?: string): string => (name ? label + t.colon + name : label);

function Pager({ page, count, whole, go, more, name }: PagerNeeds) {
  const [loading, setLoading] = useState(false);
  const from = page * PAGE;
  const last = from + PAGE >= count;
  if (count <= PAGE && !more) return null;
  const load = (): void => {
    setLoading(true);
    void more?.().finally(() => setLoading(false));
  };
  return (
    <nav class="pager" aria-label={named(t.pages, name)}>
      <button class="plain" disabled={page === 0} onClick={() => go(page - 1)}>{t.previous}</button>
      <span>{t.page(from + 1, Math.min(from + PAGE, count), whole.toLocaleString(lang))}</span>
      {last && more
        ? <button key="more" class="plain" disabled={loading} onClick={load}>{t.load_more}</button>
        : <button key="next" class="plain" disabled={last} onClick={() => go(page + 1)}>{t.next}</button>}
    </nav>
  );
}

export interface TableNeeds {
  rows: Table;
  /** The run that can tell why a row is an answer. */
  run?: string;
  /** Loads more rows, where there are more. */
  more?: () => Promise<void>;
  /** What tells it from other tables of the page. */
  name?: string;
}

export function RowTable({ rows, run, more, name }: TableNeeds) {
  const { columns, rows: all } = rows;
  const [order, setOrder] = useState<Order>();
  const [filter, setFilter] = useState("");
  const [page, setPage] = useState(0);
  const wanted = arrange(rows, filter, order);
  const share = barsOf(rows);
  const from = page * PAGE;

  const header = (column: Column, at: number): ComponentChildren => {
    const down = order?.column === at ? order.down : undefined;
    const sort = (): void => {
      setOrder({ column: at, down: down === undefined ? column.kind === "number" : !down });
      setPage(0);
    };
    return (
      <th scope="col" class={NUMERIC.has(column.kind) ? "n" : undefined} aria-sort={down === undefined ? "none" : down ? "descending" : "ascending"}>
        <button class="sort" title={t.sort_by(column.title)} onClick={sort}><bdi>{title(column)}</bdi><Icon name="sort" /></button>
      </th>
    );
  };

  const line = (index: number): ComponentChildren => {
    const row = all[index] ?? [];
    const cells = row.map((term, at) => <Cell term={term} kind={columns[at]?.kind} share={share(at, row)} />);
    return <Line key={index} cells={cells} span={columns.length + 1} run={run} index={index} name={rowName(rows, row) || t.why_row(index + 1)} />;
  };

  return (
    <div>
      {all.length > 8 && (
        <div class="row tools">
          <input type="search" placeholder={t.filter} aria-label={t.filter} onInput={(event) => (setFilter(event.currentTarget.value), setPage(0))} />
          <span class="soft" role="status">{filter && t.filtered(wanted.length, all.length)}</span>
        </div>
      )}
      <div class="scroller" tabIndex={0} role="region" aria-label={named(t.views.table, name)}>
        <table>
          <thead><tr>{columns.map(header)}{run && <td />}</tr></thead>
          <tbody>{wanted.slice(from, from + PAGE).map(line)}</tbody>
        </table>
      </div>
      <Pager name={name} page={page} count={wanted.length} whole={filter ? wanted.length : Math.max(rows.row_count, all.length)} go={setPage}
        more={from + PAGE >= wanted.length && !filter ? more : undefined} />
    </div>
  );
}
