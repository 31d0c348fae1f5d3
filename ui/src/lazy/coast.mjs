// Makes coast.json: the outlines of land, coarse, from Natural Earth (1:110m, public domain; npm package world-atlas).
// Run `npm run coast` when it shall change; the result is committed.
import { readFile, writeFile } from "node:fs/promises";
import { feature } from "topojson-client";
import { presimplify, quantile, simplify } from "topojson-simplify";

const atlas = JSON.parse(await readFile("node_modules/world-atlas/land-110m.json", "utf8"));
const weighed = presimplify(atlas);
const coarse = simplify(weighed, quantile(weighed, 0.35));
const round = (value) => Math.round(value * 10) / 10;
const rings = feature(coarse, coarse.objects.land).features.flatMap(({ geometry }) => {
  const polygons = geometry.type === "Polygon" ? [geometry.coordinates] : geometry.coordinates;
  return polygons.flatMap((polygon) => polygon.map((ring) => ring.map(([lon, lat]) => [round(lat), round(lon)])));
});
// Numbers in a row take less than pairs in brackets.
const flat = rings.filter((ring) => ring.length > 3).map((ring) => ring.flat());
await writeFile("src/lazy/coast.json", `${JSON.stringify(flat)}\n`);
console.log(`${flat.length} rings, ${flat.flat().length / 2} points`);
