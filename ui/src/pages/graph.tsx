// The page of a graph: what kinds of things there are, how they are joined, which properties they have, examples.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { lang, t } from "../i18n";
import { testWords } from "../i18n/tests";
import { Failed } from "../parts/failure";
import { Thing } from "../parts/thing";
import { Examples, useCard } from "../parts/welcome";
import type { Card, Class } from "../types";
import { Graph } from "../views/graph";

/** So many lines need a search. */
const MOST = 20;

const percent = (share: number): string => share.toLocaleString(lang, { style: "percent", maximumFractionDigits: 0 });

const notesOf = (notes?: string[]): ComponentChildren => notes?.map((note) => <p class="soft" dir="auto">{note}</p>);

function ClassLine({ one: { label, count, properties, examples, notes }, hidden }: { one: Class; hidden: boolean }) {
  return (
    <li hidden={hidden}>
      <details>
        <summary><bdi>{label}</bdi><span class="n soft">{count.toLocaleString(lang)}</span></summary>
        <div class="inside">
          {notesOf(notes)}
          {examples.length > 0 && (
            <p>
              <span class="soft">{t.examples}{t.colon}</span>
              {examples.map(({ iri, label }, n) => [n > 0 && ", ", <Thing iri={iri} name={label} />])}
            </p>
          )}
          {properties.length > 0 && (
            <ul class="props">
              {properties.map(({ iri, label, share }) => (
                <li><Thing iri={iri} name={label} /><span class="soft"> {t.share_of(percent(share))}</span></li>
              ))}
            </ul>
          )}
        </div>
      </details>
    </li>
  );
}

function sizes({ entities, classes, triples, languages, built_at }: Card): string {
  const shares = languages.slice(0, 6).map(({ tag, share }) => `${tag} ${percent(share)}`);
  const built = new Date(built_at ?? "");
  return [
    t.size(entities, classes.length),
    t.triples(triples),
    shares.length > 0 && `${t.languages}${t.colon}${shares.join(", ")}`,
    !Number.isNaN(built.getTime()) && t.built_at(built.toLocaleDateString(lang, { dateStyle: "long" })),
  ].filter(Boolean).join(" · ");
}

type Open = (iri: string, name: string) => void;

function Schema({ schema: { nodes, edges }, open }: { schema: Card["schema"]; open: Open }) {
  if (nodes.length === 0) return null;
  return (
    <section>
      <h2>{t.schema}</h2>
      <div class="card">
        <Graph nodes={nodes.map(({ iri, label, count }) => ({ id: iri, name: label, weight: count, note: count.toLocaleString(lang) }))}
          edges={edges} caption={t.kinds_of(nodes.length, edges.length)} open={open} />
      </div>
    </section>
  );
}

const section = (title: string, lines: ComponentChildren): ComponentChildren =>
  <section><h2>{title}</h2><ul class="card kinds">{lines}</ul></section>;

function Lists({ card }: { card: Card }) {
  const [filter, setFilter] = useState("");
  const classes = card.classes.slice(0, 400);
  const properties = card.properties.slice(0, 400);
  const text = filter.trim().toLocaleLowerCase();
  const hidden = (label: string): boolean => !label.toLocaleLowerCase().includes(text);
  return (
    <>
      {classes.length + properties.length > MOST && (
        <div class="row tools card">
          <input type="search" placeholder={t.filter_kinds} aria-label={t.filter_kinds} onInput={(event) => setFilter(event.currentTarget.value)} />
        </div>
      )}
      {section(t.classes, classes.map((one) => <ClassLine one={one} hidden={hidden(one.label)} />))}
      {section(t.properties, properties.map(({ iri, label, uses, unit, notes }) => (
        <li class="prop" hidden={hidden(label)}><Thing iri={iri} name={label} />{unit && <span class="soft"> {unit}</span>}<span class="n soft">{t.uses(uses)}</span>{notesOf(notes)}</li>
      )))}
    </>
  );
}

export function GraphPage({ dataset, open, ask }: { dataset: string; open: Open; ask: (question?: string) => void }) {
  const { card, error } = useCard(dataset);
  return (
    <div class="graphpage" aria-busy={!card && !error}>
      {error && <Failed error={error} />}
      {card && (
        <>
          <h1><bdi>{card.name}</bdi></h1>
          <p class="soft">{sizes(card)} · <a href={`/test?graph=${encodeURIComponent(dataset)}`}>{testWords().title}</a></p>
          {notesOf(card.notes)}
          {card.examples.length > 0 ? <Examples card={card} ask={ask} /> : <button class="main" onClick={() => ask()}>{t.back_to_ask}</button>}
          <Schema schema={card.schema} open={open} />
          <Lists card={card} />
        </>
      )}
    </div>
  );
}
