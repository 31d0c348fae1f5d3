// Places: the map, and the same as a list for whoever does not see it.
import { bdi, fill, h } from "../dom";
import { lang, t } from "../i18n";
import { failureOf } from "../net/api";
import { failure } from "../parts/failure";
import { loadMap } from "../parts/load";
import { value } from "../parts/thing";
import type { Config, Rows } from "../types";
import { points } from "./shape";

const still = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches;

export function map(rows: Rows, config: Config): HTMLElement {
  const all = points(rows);
  const box = h("div", { class: "map", role: "application", "aria-label": t.map_of(all.length) });
  const told = all.map(({ name, place }) =>
    h("li", null, bdi(name), `: ${place.map((one) => one.toLocaleString(lang, { maximumFractionDigits: 2 })).join("; ")}`));
  const spots = all.map((point) => ({
    place: point.place,
    name: point.name,
    label: () => (point.term ? value(point.term) : bdi(point.name)),
  }));
  loadMap()
    .then(({ drawMap }) => {
      // Leaflet measures its box, so that it must stand in the page.
      const draw = (): void => void drawMap(box, spots, { tiles: config.pages?.tiles, words: t.zoom, still: still() });
      if (box.isConnected) draw();
      else requestAnimationFrame(draw);
    })
    .catch((error) => fill(box, failure(failureOf(error))));
  return h("figure", { class: "mapped" }, box, h("ul", { class: "unseen", "aria-label": t.map_of(all.length) }, told));
}
