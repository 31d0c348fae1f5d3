// The rows: the view that fits best, the others one click away, and what can be done with them.
import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { nameOf, showTerm } from "../format";
import { t } from "../i18n";
import { Icon } from "../icons";
import { recall, remember } from "../keep";
import { api, failureOf } from "../net/api";
import type { Config, Row, Rows, Table, Term } from "../types";
import { Bars } from "../views/bars";
import { links, ofKind, shapeOf, viewsOf, type View } from "../views/shape";
import { Big, Names, Verdict } from "../views/simple";
import { RowTable, title } from "../views/table";
import { copy, save, say } from "./copy";
import { Card, Graph, Places, Time, Why } from "./later";
import { Tabs } from "./tabs";

/** What rows can do that are not those of a run. */
export interface Source {
  rows: (offset: number, limit: number) => Promise<Rows>;
  file: (ending: string) => Promise<Blob>;
  /** The view that is wanted. */
  view?: string | null;
  /** Whether the graph can be asked about their things. */
  things: boolean;
  /** What tells them from others on the page. */
  name: string;
}

export interface ResultNeeds {
  dataset: string;
  rows: Rows;
  run?: string;
  source?: Source;
  reading?: string | null;
  /** Whether the rows are numbers for each of something. */
  grouped?: boolean;
  config: Config;
  open: (iri: string, name: string) => void;
  more: (rows: Rows) => void;
}

type TableNeeds = ResultNeeds & { rows: Table };

const LIMIT = 100;

function Joined({ rows, open }: TableNeeds) {
  const all = useMemo(() => links(rows), [rows]);
  const things = new Map<string, Term>(all.flatMap(({ from, to }) => [[from.value, from], [to.value, to]]));
  return (
    <Graph nodes={[...things].map(([id, term]) => ({ id, name: nameOf(term) }))}
      edges={all.map(({ from, to, label }) => ({ from: from.value, to: to.value, label }))}
      caption={t.links_of(things.size, all.length)} open={open} />
  );
}

function Single({ rows, dataset, config }: TableNeeds) {
  const at = ofKind(rows, "thing")[0] ?? 0;
  const row = rows.rows[0] ?? [];
  const other = rows.columns.flatMap((column, n) => {
    const term = row[n];
    return n === at || !term ? [] : [<p class="told">{title(column)}{t.colon}<b>{showTerm(term, column.kind)}</b></p>];
  });
  return (
    <div>
      {other.length > 0 && <div class="padded">{other}</div>}
      <Card dataset={dataset} iri={row[at]?.value ?? ""} config={config} />
    </div>
  );
}

function Listed({ run, source, rows, more }: TableNeeds) {
  const loaded = rows.rows.length;
  const next = async (): Promise<void> => {
    try {
      more(await (source ? source.rows(loaded, LIMIT) : api.rows(run ?? "", loaded, LIMIT)));
    } catch (error) {
      say(t.errors[failureOf(error).code]?.[0] ?? failureOf(error).detail);
    }
  };
  return <RowTable rows={rows} run={run} name={source?.name} more={(run || source) && rows.row_count > loaded ? next : undefined} />;
}

function draw(view: View, needs: ResultNeeds): ComponentChildren {
  const { rows, config, reading } = needs;
  if ("boolean" in rows) return <Verdict holds={rows.boolean} reading={reading} />;
  const all = { ...needs, rows };
  switch (view) {
    case "big": return <Big rows={rows} />;
    case "list": return <Names rows={rows} />;
    case "bars": return <Bars rows={rows} />;
    case "time": return <Time rows={rows} />;
    case "map": return <Places rows={rows} config={config} />;
    case "graph": return <Joined {...all} />;
    case "card": return <Single {...all} />;
    case "table": return <Listed {...all} />;
  }
}

/** The rows as text with tabs, as a sheet takes them. */
export function asText({ columns, rows }: Table): string {
  const clean = (text: string): string => text.replace(/[\t\n\r]+/g, " ");
  const cell = (term: Term | null): string => (term ? clean(term.type === "literal" ? term.value : nameOf(term)) : "");
  return [columns.map((column) => clean(title(column))), ...rows.map((row: Row) => row.map(cell))].map((line) => line.join("\t")).join("\n");
}

const FORMATS = [
  ["CSV", "text/csv", "csv"], ["TSV", "text/tab-separated-values", "tsv"], ["JSON", "application/sparql-results+json", "json"],
] as const;

function Downloads({ file }: { file: (type: string, ending: string) => Promise<Blob> }) {
  const menu = useRef<HTMLDetailsElement>(null);
  const close = (): void => menu.current?.removeAttribute("open");
  const fetch = (type: string, end: string): void => {
    close();
    file(type, end).then((blob) => save(blob, `rows.${end}`)).catch((error) => say(t.errors[failureOf(error).code]?.[0] ?? ""));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== "Escape" || !menu.current?.open) return;
    event.stopPropagation();
    close();
    menu.current.querySelector("summary")?.focus();
  };
  return (
    <details ref={menu} class="menu" onKeyDown={onKeyDown}>
      <summary>{t.download}</summary>
      <div class="items">
        {FORMATS.map(([name, type, end]) => <button aria-label={t.download_as(name)} onClick={() => fetch(type, end)}>{name}</button>)}
      </div>
    </details>
  );
}

/** The rows with the places of their things, where the graph knows any; they make the map possible. */
function usePlaces(rows: Rows, dataset: string, source?: Source): Rows {
  const [places, set] = useState<Table["places"]>();
  useEffect(() => {
    if (source || "boolean" in rows || rows.places) return;
    const things = ofKind(rows, "thing");
    const iris = rows.rows.flatMap((row) => things.flatMap((at) => (row[at]?.type === "uri" ? [row[at].value] : [])));
    // Without places there is no map, which is no failure.
    if (iris.length > 0) api.places(dataset, [...new Set(iris)]).then(set, () => undefined);
  }, [rows]);
  return useMemo(() => {
    if ("boolean" in rows || !places || Object.keys(places).length === 0) return rows;
    return { ...rows, places: { ...places, ...rows.places } };
  }, [rows, places]);
}

/** For what is one row: its why, under the view. */
function WhyFoot({ run }: { run: string }) {
  const [open, set] = useState<boolean>();
  return (
    <>
      <div class="row">
        <span class="grow" />
        <button class="link why" aria-expanded={open ?? false} onClick={() => set(!open)}><Icon name="right" />{t.why}</button>
      </div>
      <div class="proof padded" hidden={!open}>{open !== undefined && <Why run={run} row={0} />}</div>
    </>
  );
}

/** The card of the results; nothing when there is nothing to show. */
export function Results(needs: ResultNeeds) {
  const { run, source } = needs;
  const rows = usePlaces(needs.rows, needs.dataset, source);
  const keep = `view.${shapeOf(rows)}`;
  const [wish, setWish] = useState(() => (source ? source.view : recall(keep)) as View | null | undefined);
  // Views that places have made possible stand behind the others.
  const all = [...new Set([...viewsOf(needs.rows, needs.grouped), ...viewsOf(rows, needs.grouped)])];
  const views = source?.things === false ? all.filter((id) => id !== "card") : all;
  const view = wish && views.includes(wish) ? wish : views[0];
  if (!view) return null;
  const choose = (id: View): void => {
    if (id !== view && !source) remember(keep, id);
    setWish(id);
  };
  const table = "boolean" in rows ? undefined : rows;
  const tools = table && (
    <>
      <button class="link" onClick={() => void copy(asText(table), t.copied)}>{t.copy}</button>
      {(run || source) && <Downloads file={(type, end) => (source ? source.file(end) : api.file(run ?? "", type))} />}
    </>
  );
  return (
    <section class="card results" aria-label={source ? undefined : t.rows(table?.row_count ?? 0)}>
      <Tabs name={t.view_as} all={views.map((id) => ({ id, title: t.views[id] }))} chosen={view} choose={choose} tools={tools}>
        {draw(view, { ...needs, rows })}
        {run && (view === "big" || view === "verdict" || view === "card") && <WhyFoot run={run} />}
      </Tabs>
    </section>
  );
}
