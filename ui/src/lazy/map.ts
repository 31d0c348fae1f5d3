// Places on a map: Leaflet over a drawn coastline, or over tiles where the settings name a server of them.
import { Attribution } from "leaflet/src/control/Control.Attribution.js";
import { Zoom } from "leaflet/src/control/Control.Zoom.js";
import { LatLngBounds } from "leaflet/src/geo/LatLngBounds.js";
import { TileLayer } from "leaflet/src/layer/tile/TileLayer.js";
import { CircleMarker } from "leaflet/src/layer/vector/CircleMarker.js";
import { Polygon } from "leaflet/src/layer/vector/Polygon.js";
import { Map } from "leaflet/src/map/Map.js";
// What a map does by itself; to be asked for, each of these has only to be there.
import "leaflet/src/layer/Popup.js";
import "leaflet/src/layer/Tooltip.js";
import "leaflet/src/layer/vector/Renderer.getRenderer.js";
import "leaflet/src/map/handler/Map.BoxZoom.js";
import "leaflet/src/map/handler/Map.DoubleClickZoom.js";
import "leaflet/src/map/handler/Map.Drag.js";
import "leaflet/src/map/handler/Map.Keyboard.js";
import "leaflet/src/map/handler/Map.TouchZoom.js";
import rings from "./coast.json";

export interface Spot {
  place: [number, number];
  /** What is shown for it: elements only, so that a name is never read as HTML. */
  label: () => HTMLElement;
  name: string;
}

export interface MapSettings {
  tiles?: { url: string; attribution: string } | null;
  words: { zoom_in: string; zoom_out: string };
  still: boolean;
}

/** The outlines of land; `coast.mjs` says how they are written down. */
function coast(): Polygon {
  const land = (rings as number[][]).map((ring) => {
    let [lat, lon] = [0, 0];
    const line: [number, number][] = [];
    for (let n = 0; n + 1 < ring.length; n += 2) {
      lat += ring[n] ?? 0;
      lon += ring[n + 1] ?? 0;
      line.push([lat / 10, lon / 10]);
    }
    return [line];
  });
  return new Polygon(land, { className: "land", interactive: false, fillOpacity: 1 });
}

/** An attribution is text; what looks like a tag in it is shown as it is. */
const asText = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/** Draws the spots into an element; the whole is shown at first. Gives what takes the map away again. */
export function drawMap(box: HTMLElement, spots: Spot[], settings: MapSettings): () => void {
  const { still, tiles, words } = settings;
  const map = new Map(box, {
    attributionControl: false, zoomControl: false, worldCopyJump: true,
    fadeAnimation: !still, zoomAnimation: !still, markerZoomAnimation: !still, minZoom: 1,
    maxBounds: [[-90, -200], [90, 200]],
  });
  new Zoom({ zoomInTitle: words.zoom_in, zoomOutTitle: words.zoom_out }).addTo(map);
  if (tiles) {
    new Attribution({ prefix: false }).addTo(map);
    new TileLayer(tiles.url, { attribution: asText(tiles.attribution) }).addTo(map);
  } else {
    coast().addTo(map);
  }
  for (const spot of spots) {
    const marker = new CircleMarker(spot.place, { radius: 7, className: "spot", fillOpacity: 1 });
    marker.bindPopup(spot.label).bindTooltip(() => {
      const name = document.createElement("bdi");
      name.textContent = spot.name;
      return name;
    }).addTo(map);
  }
  map.fitBounds(new LatLngBounds(spots.map(({ place }) => place)).pad(0.2), { maxZoom: tiles ? 12 : 5, animate: false });
  return () => void map.remove();
}
