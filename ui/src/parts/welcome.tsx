// The page before a question: questions that this graph can answer, and how large it is.
import { useEffect, useState } from "preact/hooks";
import { lang, t } from "../i18n";
import { api, failureOf } from "../net/api";
import type { Card, Config, Failure } from "../types";
import { Failed } from "./failure";
import { BoardLinks } from "./later";

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

/** The card of a graph: at once, and again when its examples have been made. */
export function useCard(dataset: string): { card?: Card; error?: Failure } {
  const [got, set] = useState<{ card?: Card; error?: Failure }>({});
  useEffect(() => {
    let wanted = true;
    const look = async (): Promise<void> => {
      let card = await cardOf(dataset);
      if (wanted) set({ card });
      while (card.examples_pending && wanted) {
        await new Promise((resolve) => setTimeout(resolve, WAIT));
        card = await cardOf(dataset);
        if (wanted && !card.examples_pending) set({ card });
      }
    };
    // What is shown already stays.
    look().catch((error) => wanted && set((now) => (now.card ? now : { error: failureOf(error) })));
    return () => void (wanted = false);
  }, [dataset]);
  return got;
}

export function Examples({ card: { examples }, ask }: { card: Card; ask: (question: string) => void }) {
  return (
    <ul class="examples">
      {examples.map((question) => <li><button class="example" onClick={() => ask(question)}><bdi>{question}</bdi></button></li>)}
    </ul>
  );
}

export function Welcome({ dataset, config, ask }: { dataset: string; config: Config; ask: (question: string) => void }) {
  const { card, error } = useCard(dataset);
  return (
    <div class="welcome">
      {error && <Failed error={error} />}
      {card?.about && <p class="about" dir="auto">{card.about}</p>}
      {card && card.examples.length > 0 && <><h2>{t.examples}</h2><Examples card={card} ask={ask} /></>}
      {card && config.pages.boards && <BoardLinks dataset={dataset} />}
      {card && <p class="soft">{t.size(card.entities, card.classes.length)}</p>}
    </div>
  );
}
