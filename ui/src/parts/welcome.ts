// The page before a question: questions that this graph can answer, and how large it is.
import { bdi, button, fill, h } from "../dom";
import { lang, t } from "../i18n";
import { api, failureOf } from "../net/api";
import type { Card } from "../types";
import { failure } from "./failure";

const cards = new Map<string, Promise<Card>>();

/** How long to wait before examples that are still being made are asked for again, in milliseconds. */
const WAIT = 1000;

/** The card of a graph, asked for once for each language, when it is whole. */
function cardOf(dataset: string): Promise<Card> {
  const name = `${dataset} ${lang}`;
  const known = cards.get(name);
  if (known) return known;
  const loading = api.card(dataset, lang);
  cards.set(name, loading);
  loading.then((card) => card.examples_pending && cards.delete(name)).catch(() => cards.delete(name));
  return loading;
}

/** Shows the card of a graph in a box: at once, and again when its examples have been made. */
export async function showCard(dataset: string, box: HTMLElement, show: (card: Card) => void): Promise<void> {
  try {
    let card = await cardOf(dataset);
    show(card);
    while (card.examples_pending && box.isConnected) {
      await new Promise((resolve) => setTimeout(resolve, WAIT));
      card = await cardOf(dataset);
      if (!card.examples_pending && box.isConnected) show(card);
    }
  } catch (error) {
    // What is shown already stays.
    if (!box.hasChildNodes()) fill(box, failure(failureOf(error)));
  }
}

export function welcome(dataset: string, ask: (question: string) => void): HTMLElement {
  const box = h("div", { class: "welcome" });
  const show = (card: Card): void => {
    const examples = (card.examples ?? []).map((question) =>
      h("li", null, button(bdi(question), () => ask(question), { class: "example" })));
    fill(box,
      card.about ? h("p", { class: "about", dir: "auto" }, card.about) : null,
      examples.length > 0 ? [h("h2", null, t.examples), h("ul", { class: "examples" }, examples)] : null,
      h("p", { class: "soft" }, t.size(card.entities ?? 0, card.classes.length)));
  };
  void showCard(dataset, box, show);
  return box;
}
