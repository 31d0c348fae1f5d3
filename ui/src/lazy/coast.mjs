// Makes coast.json: the outlines of land, coarse, from Natural Earth (1:110m, public domain; npm package world-atlas).
// Run `npm run coast` when it shall change; the result is committed.
import { readFile, writeFile } from "node:fs/promises";
import { feature } from "topojson-client";
import { presimplify, quantile, simplify } from "topojson-simplify";

const atlas = JSON.parse(await readFile("node_modules/world-atlas/land-110m.json", "utf8"));
const weighed = presimplify(atlas);
const coarse = simplify(weighed, quantile(weighed, 0.35));
/** A line as tenths of degrees, latitude and longitude in turn, each but the first as the way from the one before. */
const steps = (line) => line.map((point) => point.map((value) => Math.round(value * 10)))
  .flatMap(([lat, lon], n, all) => [lat - (all[n - 1]?.[0] ?? 0), lon - (all[n - 1]?.[1] ?? 0)]);

/** A ring that crosses the line of dates goes on beyond 180 degrees; one around a pole is closed over the pole. */
function unrolled(ring) {
  let turn = 0;
  const line = ring.map(([lon, lat], n) => {
    const before = ring[n - 1];
    if (before && lon - before[0] > 180) turn -= 360;
    if (before && lon - before[0] < -180) turn += 360;
    return [lat, lon + turn];
  });
  const [first, last] = [line[0], line.at(-1)];
  if (Math.abs(first[1] - last[1]) > 180) line.push([-90, last[1]], [-90, first[1]]);
  return line;
}

/** The part of a ring on the map: what is beyond its edges lies on them. */
function clipped(line) {
  const edge = ([, lon]) => (lon >= 180 ? 1 : lon <= -180 ? -1 : 0);
  const needed = line.filter((point, n) => {
    const [before, after] = [line[n - 1], line[n + 1]];
    return !(before && after && edge(point) && edge(before) === edge(point) && edge(after) === edge(point));
  });
  return needed.map(([lat, lon]) => [lat, Math.min(Math.max(lon, -180), 180)]);
}

/** What lies beyond one edge of the map is drawn at the other edge, too. */
function copies(line) {
  const [least, most] = [Math.min(...line.map(([, lon]) => lon)), Math.max(...line.map(([, lon]) => lon))];
  const moved = (by) => clipped(line.map(([lat, lon]) => [lat, lon + by]));
  return [clipped(line), ...(most > 180.1 ? [moved(-360)] : []), ...(least < -180.1 ? [moved(360)] : [])];
}

const rings = feature(coarse, coarse.objects.land).features.flatMap(({ geometry }) => {
  const polygons = geometry.type === "Polygon" ? [geometry.coordinates] : geometry.coordinates;
  return polygons.flatMap((polygon) => polygon.map(unrolled).flatMap(copies));
});
// Short numbers in a row take less than pairs in brackets.
const flat = rings.filter((ring) => ring.length > 3).map(steps);
await writeFile("src/lazy/coast.json", `${JSON.stringify(flat)}\n`);
console.log(`${flat.length} rings, ${flat.flat().length / 2} points`);
