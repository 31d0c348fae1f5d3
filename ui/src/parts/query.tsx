// The query: coloured, in words, and as an editor that runs it in the place of the answer's.
import type { ComponentChildren } from "preact";
import { useMemo, useRef, useState } from "preact/hooks";
import { t } from "../i18n";
import type { QueryPart } from "../types";
import { copy } from "./copy";
import { Editor } from "./editor";
import { pretty } from "./pretty";
import { highlighted } from "./sparql";
import { Tabs } from "./tabs";
import { Outward } from "./thing";

export interface QueryNeeds {
  dataset: string;
  query: string;
  /** The query that the rows come from, where it has more columns. */
  rowsQuery?: string | null;
  explanation: QueryPart[];
  editor?: string | null;
  /** Runs a query in the place of the answer's; absent where that is not allowed. */
  run?: (query: string) => Promise<void>;
}

function InWords({ parts }: { parts: QueryPart[] }) {
  if (parts.length === 0) return <p class="soft padded">–</p>;
  return (
    <dl class="words">
      {parts.map(({ sparql, words }) => <div class="said"><dt><code>{highlighted(sparql)}</code></dt><dd dir="auto">{words}</dd></div>)}
    </dl>
  );
}

const shown = (query: string, name: string): ComponentChildren =>
  <pre class="query" tabIndex={0} aria-label={name}><code>{highlighted(query)}</code></pre>;

type Tab = "query" | "words" | "rows";

function content(tab: Tab, query: string, { rowsQuery, explanation }: QueryNeeds): ComponentChildren {
  if (tab === "words") return <InWords parts={explanation} />;
  if (tab === "query") return shown(query, t.query);
  return <><p class="soft padded">{t.rows_query_why}</p>{shown(pretty(rowsQuery ?? ""), t.rows_query)}</>;
}

/** The card of the query. */
export function QueryCard(needs: QueryNeeds) {
  const { dataset, rowsQuery, editor, run } = needs;
  const query = useMemo(() => pretty(needs.query), [needs.query]);
  const [tab, setTab] = useState<Tab>("query");
  const [editing, setEditing] = useState(false);
  const edit = useRef<HTMLButtonElement>(null);
  const choose = (id: Tab): void => (setTab(id), setEditing(false));
  const all: { id: Tab; title: string }[] = [{ id: "query", title: t.query }, { id: "words", title: t.in_words }];
  if (rowsQuery) all.push({ id: "rows", title: t.rows_query });
  const tools = (
    <>
      {run && <button ref={edit} class="link" onClick={() => setEditing(true)}>{t.edit}</button>}
      <button class="link" onClick={() => void copy(query, t.copied)}>{t.copy}</button>
    </>
  );
  return (
    <section class="card" aria-label={t.query}>
      <Tabs name={t.query} all={all} chosen={tab} choose={choose} tools={tools}>
        {editing && run
          ? <Editor dataset={dataset} query={query} run={run} close={() => (choose("query"), edit.current?.focus())} />
          : content(tab, query, needs)}
      </Tabs>
      {editor && <div class="row foot"><Outward text={t.own_editor} href={editor} /></div>}
    </section>
  );
}
