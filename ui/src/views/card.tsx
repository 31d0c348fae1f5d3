// One thing as a card: its picture, description, place and first facts, as the graph has them.
import { useState } from "preact/hooks";
import { localName, pairOf } from "../format";
import { lang, t } from "../i18n";
import { api } from "../net/api";
import { Failed } from "../parts/failure";
import { useLoaded } from "../parts/loaded";
import { Outward, Value } from "../parts/thing";
import type { Config, Entry, Fact, Place, Recording, Table, Term } from "../types";
import { Places } from "./map";

const VALUES = 4;

/** Values in a row, with commas between them. */
const listed = (all: Term[]) => all.map((term, n) => [n > 0 && ", ", <Value term={term} />]);

function FactRow({ fact: { property, values, more } }: { fact: Fact }) {
  const rest = more + Math.max(values.length - VALUES, 0);
  return (
    <div class="fact">
      <dt><bdi>{property.label ?? localName(property.value)}</bdi></dt>
      <dd>{listed(values.slice(0, VALUES))}{rest > 0 && <span class="soft"> {t.and_more(rest)}</span>}</dd>
    </div>
  );
}

function Facts({ title, facts, most }: { title: string; facts: Fact[]; most: number }) {
  const [all, setAll] = useState(false);
  if (facts.length === 0) return null;
  const rest = facts.length - most;
  return (
    <>
      <h3>{title}</h3>
      <dl class="facts">{facts.slice(0, all ? facts.length : most).map((fact) => <FactRow fact={fact} />)}</dl>
      {rest > 0 && !all && <button class="link" onClick={() => setAll(true)}>{t.and_more(rest)}</button>}
    </>
  );
}

/** Where a thing lies, drawn when it is wanted. */
function OnMap({ iri, name, place, config }: { iri: string; name: string; place: Place; config: Config }) {
  const [wanted, setWanted] = useState(false);
  const [rows] = useState<Table>(() => ({
    columns: [{ name: "thing", title: name, kind: "thing" }], rows: [[{ type: "uri", value: iri, label: name }]],
    row_count: 1, places: { [iri]: place },
  }));
  return (
    <details class="onmap" onToggle={(event) => event.currentTarget.open && setWanted(true)}>
      <summary>{t.views.map}</summary>
      {wanted && <Places rows={rows} config={config} />}
    </details>
  );
}

/** A picture; one that does not come leaves no gap. */
function Portrait({ src, name }: { src: string; name: string }) {
  const [gone, setGone] = useState(false);
  if (gone) return null;
  return <img class="portrait" alt={t.picture_of(name)} loading="lazy" referrerpolicy="no-referrer" src={src} onError={() => setGone(true)} />;
}

/** A sound or a film, loaded when it is played; one that does not come leaves no gap. */
function Player({ address, is_film, name }: Recording & { name: string }) {
  const [gone, setGone] = useState(false);
  if (gone) return null;
  const needs = { controls: true, preload: "none", src: address, onError: () => setGone(true), "aria-label": name } as const;
  return is_film ? <video class="player" {...needs} /> : <audio class="player" {...needs} />;
}

/** What an entry tells. */
function EntryCard({ entry, config }: { entry: Entry; config: Config }) {
  const { iri, classes, description, href, improve, picture } = entry;
  const name = entry.label || localName(iri);
  const place = pairOf(entry.coordinates);
  return (
    <article class="entry">
      {picture && config.pages.pictures && <Portrait src={picture} name={name} />}
      <h2 class="entryname"><bdi>{name}</bdi></h2>
      {config.pages.pictures && entry.recordings?.map((recording) => <Player name={name} {...recording} />)}
      {classes.length > 0 && <p class="soft">{listed(classes)}</p>}
      {description && <p dir="auto">{description}</p>}
      {place && <p class="soft">{t.coordinates}{t.colon}{place.map((one) => one.toLocaleString(lang, { maximumFractionDigits: 4 })).join("; ")}</p>}
      {place && <OnMap iri={iri} name={name} place={place} config={config} />}
      <Facts title={t.facts} facts={entry.facts} most={8} />
      <Facts title={t.incoming} facts={entry.incoming} most={4} />
      <p class="soft home">{href && <Outward text={t.at_home} href={href} />} {improve && <Outward text={t.improve} href={improve} />} <bdi class="iri">{iri}</bdi></p>
    </article>
  );
}

/** The card of a thing, loaded from the service. */
export function Card({ dataset, iri, config }: { dataset: string; iri: string; config: Config }) {
  const { value, error } = useLoaded(() => api.entry(dataset, iri, lang), [dataset, iri]);
  return (
    <div class="cardbox" aria-busy={!value && !error}>
      {error ? <Failed error={error} /> : value ? <EntryCard entry={value} config={config} /> : <p class="soft">{t.loading} …</p>}
    </div>
  );
}
