import assert from "node:assert/strict";
import { test } from "node:test";
import { EventReader } from "./sse";

const STREAM = 'id: 1\nevent: step\ndata: {"a":1}\n\n: keep-alive\n\nid: 2\r\nevent: token\r\ndata: {"text":"ü"}\r\n\r\nid: 3\ndata: a\ndata: b\n\n';

const WANTED = [
  { id: 1, type: "step", data: '{"a":1}' }, { id: 2, type: "token", data: '{"text":"ü"}' }, { id: 3, type: "message", data: "a\nb" },
];

test("events come whole however the stream is cut", () => {
  for (let size = 1; size <= STREAM.length; size++) {
    const reader = new EventReader();
    const events = [];
    for (let at = 0; at < STREAM.length; at += size) events.push(...reader.push(STREAM.slice(at, at + size)));
    assert.deepEqual(events, WANTED, `in pieces of ${size}`);
  }
});

test("half an event is no event", () => {
  assert.deepEqual(new EventReader().push("id: 1\nevent: step\ndata: {}\n"), []);
});
