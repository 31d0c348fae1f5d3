// The page before a question: questions that this graph can answer, and how large it is.
import { bdi, button, fill, h } from "../dom";
import { lang, t } from "../i18n";
import { api, failureOf } from "../net/api";
import type { Card } from "../types";
import { failure } from "./failure";

const cards = new Map<string, Promise<Card>>();

/** The card of a graph, asked for once for each language. */
export function cardOf(dataset: string): Promise<Card> {
  const name = `${dataset} ${lang}`;
  const known = cards.get(name);
  if (known) return known;
  const loading = api.card(dataset, lang);
  loading.catch(() => cards.delete(name));
  cards.set(name, loading);
  return loading;
}

export function welcome(dataset: string, ask: (question: string) => void): HTMLElement {
  const box = h("div", { class: "welcome" });
  const show = (card: Card): void => {
    const examples = (card.examples ?? []).map((question) =>
      h("li", null, button(bdi(question), () => ask(question), { class: "example" })));
    fill(box,
      examples.length > 0 ? [h("h2", null, t.examples), h("ul", { class: "examples" }, examples)] : null,
      h("p", { class: "soft" }, t.size(card.entities ?? 0, card.classes.length)));
  };
  cardOf(dataset).then(show).catch((error) => fill(box, failure(failureOf(error))));
  return box;
}
