// One thing as a card: its picture, description, place and first facts, as the graph has them.
import { bdi, button, fill, h, type Child } from "../dom";
import { localName } from "../format";
import { lang, t } from "../i18n";
import { api, failureOf } from "../net/api";
import { failure } from "../parts/failure";
import { outward, value } from "../parts/thing";
import type { Config, Entry, Fact, Rows, Term } from "../types";
import { map } from "./map";

const VALUES = 4;

function factRow(fact: Fact): HTMLElement {
  const name = fact.property.label ?? localName(fact.property.value);
  const values = fact.values.slice(0, VALUES);
  const more = (fact.more ?? 0) + fact.values.length - values.length;
  return h("div", { class: "fact" }, h("dt", null, bdi(name)),
    h("dd", null, values.map((term, n) => [n > 0 ? ", " : null, value(term)]),
      more > 0 ? h("span", { class: "soft" }, ` ${t.and_more(more)}`) : null));
}

function factList(title: string, facts: Fact[] | undefined, most: number): Child {
  if (!facts?.length) return null;
  const all = facts.map(factRow);
  const list = h("dl", { class: "facts" }, all.slice(0, most));
  const rest = all.slice(most);
  const more = button(t.and_more(rest.length), () => {
    list.append(...rest);
    more.remove();
  }, { class: "link" });
  return [h("h3", null, title), list, rest.length > 0 ? more : null];
}

/** Where a thing lies, drawn when it is wanted. */
function onMap(entry: Entry, name: string, config: Config): Child {
  const place = entry.coordinates;
  if (!place) return null;
  const term: Term = { type: "uri", value: entry.iri, label: name };
  const column = { name: "thing", title: name, kind: "thing" as const };
  const rows: Rows = { columns: [column], rows: [[term]], places: { [entry.iri]: place } };
  const fold = h("details", { class: "onmap" }, h("summary", null, t.views.map));
  fold.addEventListener("toggle", () => fold.open && fold.childElementCount === 1 && fold.append(map(rows, config)));
  return fold;
}

/** What an entry tells. */
export function entryCard(entry: Entry, config: Config): HTMLElement {
  const pictures = config.pages?.pictures !== false;
  const name = entry.label ?? localName(entry.iri);
  const kinds = (entry.classes ?? []).flatMap((kind, n) => [n > 0 ? ", " : null, value(kind)]);
  const picture = pictures && entry.picture
    ? h("img", { class: "portrait", src: entry.picture, alt: t.picture_of(name), loading: "lazy", referrerpolicy: "no-referrer" })
    : null;
  // A picture that does not come leaves no gap.
  picture?.addEventListener("error", () => picture.remove());
  return h("article", { class: "entry" }, picture,
    h("h2", { class: "entryname" }, bdi(name)),
    kinds.length > 0 ? h("p", { class: "soft" }, kinds) : null,
    entry.description ? h("p", { dir: "auto" }, entry.description) : null,
    entry.coordinates
      ? h("p", { class: "soft" }, `${t.coordinates}${t.colon}${entry.coordinates.map((one) => one.toLocaleString(lang, { maximumFractionDigits: 4 })).join("; ")}`)
      : null,
    onMap(entry, name, config),
    factList(t.facts, entry.facts, 8),
    factList(t.incoming, entry.incoming, 4),
    h("p", { class: "soft home" }, entry.href ? outward(t.at_home, entry.href) : null, " ", bdi(entry.iri, { class: "iri" })));
}

/** The card of a thing, loaded from the service. */
export function card(dataset: string, iri: string, config: Config): HTMLElement {
  const box = h("div", { class: "cardbox", "aria-busy": "true" }, h("p", { class: "soft" }, `${t.loading} …`));
  api.entry(dataset, iri, lang)
    .then((entry) => fill(box, entryCard(entry, config)))
    .catch((error) => fill(box, failure(failureOf(error))))
    .finally(() => box.removeAttribute("aria-busy"));
  return box;
}
