// Pieces of the page that are drawn anew only when what they show has changed, so that what a reader has unfolded,
// sorted or begun to write stays while events come in.
import { fill, h, type Child } from "../dom";

export interface Slot<S> {
  element: HTMLElement;
  show: (state: S) => void;
}

export function slot<S>(select: (state: S) => unknown[], render: (state: S) => Child, props = {}): Slot<S> {
  const element = h("div", props);
  let before: unknown[] | undefined;
  return {
    element,
    show(state) {
      const now = select(state);
      if (before && now.length === before.length && now.every((value, n) => Object.is(value, before?.[n]))) return;
      before = now;
      fill(element, render(state));
      element.hidden = !element.hasChildNodes();
    },
  };
}
