// Places: the map, and the same as a list for whoever does not see it.
import { render } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { lang, t } from "../i18n";
import { failureOf } from "../net/api";
import { Failed } from "../parts/failure";
import { loadMap } from "../parts/load";
import { Value } from "../parts/thing";
import type { Config, Failure, Table } from "../types";
import { points, type Point } from "./shape";

const still = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** What is shown for a place, as an element for the map: never text that could be read as HTML. */
function label({ term, name }: Point): HTMLElement {
  const box = document.createElement("span");
  render(term ? <Value term={term} /> : <bdi>{name}</bdi>, box);
  return box;
}

export function Places({ rows, config }: { rows: Table; config: Config }) {
  const box = useRef<HTMLDivElement>(null);
  const [error, setError] = useState<Failure>();
  const all = points(rows);
  useEffect(() => {
    let [wanted, remove] = [true, (): void => undefined];
    loadMap().then(({ drawMap }) => {
      if (!wanted || !box.current) return;
      const spots = all.map((point) => ({ place: point.place, name: point.name, label: () => label(point) }));
      remove = drawMap(box.current, spots, { tiles: config.pages.tiles, words: t.zoom, still: still() });
    }).catch((thrown) => setError(failureOf(thrown)));
    return () => {
      wanted = false;
      remove();
    };
  }, [rows]);
  if (error) return <figure class="mapped"><Failed error={error} /></figure>;
  return (
    <figure class="mapped">
      <div ref={box} class="map" role="application" aria-label={t.map_of(all.length)} />
      <ul class="unseen" aria-label={t.map_of(all.length)}>
        {all.map(({ name, place }) => (
          <li><bdi>{name}</bdi>: {place.map((one) => one.toLocaleString(lang, { maximumFractionDigits: 2 })).join("; ")}</li>
        ))}
      </ul>
    </figure>
  );
}
