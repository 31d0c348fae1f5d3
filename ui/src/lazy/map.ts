// Places on a map: Leaflet over a drawn coastline, or over tiles where the settings name a server of them.
import L from "leaflet";
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

function coast(): L.Polygon {
  const land = (rings as number[][]).map((ring) => {
    const line: [number, number][] = [];
    for (let n = 0; n + 1 < ring.length; n += 2) line.push([ring[n] as number, ring[n + 1] as number]);
    return [line];
  });
  return L.polygon(land as L.LatLngExpression[][][], { className: "land", interactive: false, fillOpacity: 1 });
}

/** An attribution is text; what looks like a tag in it is shown as it is. */
const asText = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/** Draws the spots into an element. The whole is shown at first. */
export function drawMap(box: HTMLElement, spots: Spot[], settings: MapSettings): void {
  const { still, tiles, words } = settings;
  const map = L.map(box, {
    attributionControl: Boolean(tiles), zoomControl: false, worldCopyJump: true, scrollWheelZoom: false,
    fadeAnimation: !still, zoomAnimation: !still, markerZoomAnimation: !still, minZoom: 1,
    maxBounds: [[-90, -200], [90, 200]],
  });
  L.control.zoom({ zoomInTitle: words.zoom_in, zoomOutTitle: words.zoom_out }).addTo(map);
  map.attributionControl?.setPrefix(false);
  if (tiles) L.tileLayer(tiles.url, { attribution: asText(tiles.attribution) }).addTo(map);
  else coast().addTo(map);
  for (const spot of spots) {
    const marker = L.circleMarker(spot.place, { radius: 7, className: "spot", fillOpacity: 1 });
    marker.bindPopup(spot.label).bindTooltip(() => {
      const name = document.createElement("bdi");
      name.textContent = spot.name;
      return name;
    }).addTo(map);
  }
  map.fitBounds(L.latLngBounds(spots.map(({ place }) => place)).pad(0.2), { maxZoom: tiles ? 12 : 5, animate: false });
}
