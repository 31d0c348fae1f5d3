// Tabs over a panel, by the usual keys: arrows, Home, End.
import { button, h, type Child } from "../dom";

let count = 0;

export interface TabsNeeds<T extends string> {
  name: string;
  all: { id: T; title: string }[];
  chosen: T;
  show: (id: T) => void;
  panel: HTMLElement;
  tools: Child;
}

export interface Tabs<T> {
  element: HTMLElement;
  choose: (id: T) => void;
  /** One more tab, at the end. */
  add: (tab: { id: T; title: string }) => void;
}

export function tabs<T extends string>(needs: TabsNeeds<T>): Tabs<T> {
  const group = `tabs-${(count += 1)}`;
  const list = h("div", { role: "tablist", class: "tablist", "aria-label": needs.name });
  const mark = ({ id, title }: { id: T; title: string }): HTMLButtonElement =>
    button(title, () => choose(id), {
      role: "tab", id: `${group}-${id}`, "aria-controls": group, "data-id": id, "aria-selected": "false", tabindex: -1,
    });
  const marks = needs.all.map(mark);
  list.append(...marks);
  Object.assign(needs.panel, { id: group });
  needs.panel.setAttribute("role", "tabpanel");

  const choose = (id: T): void => {
    for (const mark of marks) {
      const on = mark.dataset["id"] === id;
      mark.setAttribute("aria-selected", String(on));
      mark.tabIndex = on ? 0 : -1;
      if (on) needs.panel.setAttribute("aria-labelledby", mark.id);
    }
    needs.show(id);
  };
  const steps: Record<string, (at: number) => number> = {
    ArrowRight: (at) => at + 1, ArrowLeft: (at) => at - 1, Home: () => 0, End: () => -1,
  };
  list.addEventListener("keydown", (event) => {
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    const next = marks.at(step(marks.findIndex((mark) => mark.tabIndex === 0)) % marks.length);
    next?.click();
    next?.focus();
  });
  choose(needs.chosen);
  return {
    element: h("div", { class: "tabs" }, list, h("span", { class: "grow" }), h("div", { class: "tools" }, needs.tools)),
    choose,
    add(tab) {
      const one = mark(tab);
      marks.push(one);
      list.append(one);
    },
  };
}
