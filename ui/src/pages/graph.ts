// The page of a graph: what kinds of things there are, how they are joined, which properties they have, examples.
import { bdi, button, fill, h, type Child } from "../dom";
import { lang, t } from "../i18n";
import { thing } from "../parts/thing";
import { showCard } from "../parts/welcome";
import type { Card } from "../types";
import { graph } from "../views/graph";

type Class = Card["classes"][number];
const MOST = 60;

const percent = (share: number): string => share.toLocaleString(lang, { style: "percent", maximumFractionDigits: 0 });

function classLine(one: Class): HTMLElement {
  const properties = (one.properties ?? []).map(({ iri, label, share }) =>
    h("li", null, thing(iri, label), share === undefined ? null : h("span", { class: "soft" }, ` ${t.share_of(percent(share))}`)));
  const examples = (one.examples ?? []).map(({ iri, label }, n) => [n > 0 ? ", " : null, thing(iri, label)]);
  const inside: Child = [
    examples.length > 0 ? h("p", null, h("span", { class: "soft" }, `${t.examples}${t.colon}`), examples) : null,
    properties.length > 0 ? h("ul", { class: "props" }, properties) : null,
  ];
  return h("li", { "data-name": one.label }, h("details", null,
    h("summary", null, bdi(one.label), h("span", { class: "n soft" }, one.count.toLocaleString(lang))), h("div", { class: "inside" }, inside)));
}

function sizes(card: Card): Child {
  const languages = (card.languages ?? []).slice(0, 6).map(({ tag, share }) => `${tag} ${percent(share)}`);
  const built = card.built_at ? new Date(card.built_at) : undefined;
  const all = [
    t.size(card.entities ?? 0, card.classes.length),
    card.triples === undefined ? "" : t.triples(card.triples),
    languages.length > 0 ? `${t.languages}${t.colon}${languages.join(", ")}` : "",
    built && !Number.isNaN(built.getTime()) ? t.built_at(built.toLocaleDateString(lang, { dateStyle: "long" })) : "",
  ];
  return h("p", { class: "soft" }, all.filter(Boolean).join(" · "));
}

function schema(card: Card, open: (iri: string, name: string) => void): Child {
  const { nodes = [], edges = [] } = card.schema ?? {};
  if (nodes.length === 0) return null;
  const drawn = graph(
    nodes.map(({ iri, label, count }) => ({ id: iri, name: label, weight: count, note: count.toLocaleString(lang) })),
    edges.map(({ from, to, label }) => ({ from, to, label })),
    t.kinds_of(nodes.length, edges.length), open);
  return h("section", null, h("h2", null, t.schema), h("div", { class: "card" }, drawn));
}

function lists(card: Card): Child {
  const classes = card.classes.slice(0, 400).map(classLine);
  const properties = card.properties.slice(0, 400).map(({ iri, label, uses }) =>
    h("li", { "data-name": label, class: "prop" }, thing(iri, label), uses === undefined ? null : h("span", { class: "n soft" }, t.uses(uses))));
  const all = [...classes, ...properties];
  const filter = (): void => {
    const text = search.value.trim().toLocaleLowerCase();
    for (const line of all) line.hidden = !(line.dataset["name"] ?? "").toLocaleLowerCase().includes(text);
  };
  const search = h("input", { type: "search", placeholder: t.filter_kinds, "aria-label": t.filter_kinds, oninput: filter });
  const tool = all.length > MOST / 3 ? h("div", { class: "row tools card" }, search) : null;
  return [tool,
    h("section", null, h("h2", null, t.classes), h("ul", { class: "card kinds" }, classes)),
    h("section", null, h("h2", null, t.properties), h("ul", { class: "card kinds" }, properties))];
}

export function graphPage(dataset: string, open: (iri: string, name: string) => void, toAsk: (question?: string) => void): HTMLElement {
  const box = h("div", { class: "graphpage", "aria-busy": "true" });
  const show = (card: Card): void => {
    const examples = (card.examples ?? []).map((question) =>
      h("li", null, button(bdi(question), () => toAsk(question), { class: "example" })));
    fill(box, h("h1", null, bdi(card.name)), sizes(card),
      examples.length > 0 ? h("ul", { class: "examples" }, examples) : button(t.back_to_ask, () => toAsk(), { class: "main" }),
      schema(card, open), lists(card));
  };
  void showCard(dataset, box, show).finally(() => box.removeAttribute("aria-busy"));
  return box;
}
