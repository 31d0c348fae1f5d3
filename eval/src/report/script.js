"use strict";
const byId = (id) => document.getElementById(id);
const list = byId("questions");
const all = [...list.children];

function show() {
  const words = byId("words").value.toLowerCase().split(/\s+/).filter(Boolean);
  const kind = byId("kind").value;
  let shown = 0;
  for (const item of all) {
    const text = item.firstElementChild.textContent.toLowerCase();
    const kinds = item.dataset.kind.split(" ");
    item.hidden = !(words.every((word) => text.includes(word)) && (!kind || kinds.includes(kind)));
    shown += item.hidden ? 0 : 1;
  }
  byId("shown").textContent = `${shown} of ${all.length}`;
}

function sort() {
  const by = {
    file: () => 0,
    score: (a, b) => a.dataset.score - b.dataset.score,
    seconds: (a, b) => b.dataset.seconds - a.dataset.seconds,
  };
  list.append(...all.toSorted(by[byId("order").value]));
}

function openAll(open) {
  for (const item of all) {
    if (!item.hidden) item.open = open;
  }
}

byId("words").addEventListener("input", show);
byId("kind").addEventListener("change", show);
byId("order").addEventListener("change", sort);
byId("open").addEventListener("click", () => openAll(true));
byId("close").addEventListener("click", () => openAll(false));
show();
