import assert from "node:assert/strict";
import { test } from "node:test";
import { layout } from "./layout";

const BOX = { width: 832, height: 300 };
const nodes = ["a", "b", "c", "d", "e"].map((id) => ({ id }));
const edges = [["a", "b"], ["b", "c"], ["c", "a"], ["c", "d"], ["d", "d"], ["d", "elsewhere"]].map(([from = "", to = ""]) => ({ from, to }));

test("the same things give the same picture, within its box", () => {
  const bodies = layout(nodes, edges, BOX);
  assert.deepEqual(bodies, layout(nodes, edges, BOX));
  assert.deepEqual(bodies.map(({ id }) => id), ["a", "b", "c", "d", "e"]);
  for (const { x, y } of bodies) assert.ok(x >= 80 && x <= 752 && y >= 18 && y <= 266, `${x} ${y}`);
});

test("things keep apart, and joined ones stand nearer than others", () => {
  const at = new Map(layout(nodes, edges, BOX).map((body) => [body.id, body]));
  const far = (one: string, other: string): number => {
    const [a, b] = [at.get(one), at.get(other)];
    return a && b ? Math.hypot(a.x - b.x, a.y - b.y) : NaN;
  };
  assert.ok(far("a", "b") > 40 && far("a", "b") < far("a", "d"));
});

test("one thing alone stands in the middle, and none is no picture", () => {
  assert.deepEqual(layout([{ id: "a" }], [], BOX).map(({ x, y }) => [x, y]), [[416, 142]]);
  assert.deepEqual(layout([], [], BOX), []);
});
