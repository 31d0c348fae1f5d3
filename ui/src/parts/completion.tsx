// Names of the graph for what is being written in a box: looked up after two letters, chosen with the arrow keys and Tab.
import type { RefObject } from "preact";
import { lang } from "../i18n";
import { api } from "../net/api";
import type { Hit } from "../types";
import { useCombobox, type Combobox } from "./combobox";

/** The word that is being written, with a capitalised word before it, since names often have two. */
export function fragment(text: string): string {
  const found = /(?:\p{Lu}[\p{L}\p{N}'’.-]*\s+)*[\p{L}\p{N}][\p{L}\p{N}'’-]*$/u.exec(text)?.[0] ?? "";
  const last = found.split(/\s+/).at(-1) ?? "";
  return last.length >= 2 ? found : "";
}

/** The text with the fragment at its end replaced by a name; the part of it that is the name's beginning. */
export function completed(text: string, name: string): string {
  const piece = fragment(text);
  const words = piece.split(/\s+/);
  const lower = name.toLocaleLowerCase();
  while (words.length > 1 && !lower.startsWith(words.join(" ").toLocaleLowerCase())) words.shift();
  return `${text.slice(0, text.length - words.join(" ").length)}${name} `;
}

/** What stands before the place where somebody writes. */
const before = (box: HTMLTextAreaElement | null): string => box?.value.slice(0, box.selectionEnd) ?? "";

export interface Completion extends Combobox<Hit> {
  /** Looks up what is being written. */
  later: () => void;
}

export function useCompletion(box: RefObject<HTMLTextAreaElement | null>, dataset: string): Completion {
  const take = (hit: Hit): void => {
    if (!box.current) return;
    const written = before(box.current);
    const text = completed(written, hit.label);
    box.current.value = text + box.current.value.slice(written.length).trimStart();
    box.current.setSelectionRange(text.length, text.length);
    list.close();
  };
  const list = useCombobox<Hit>((piece, signal) => api.search(dataset, piece, "any", lang, signal), take);
  const later = (): void => {
    const piece = fragment(before(box.current));
    if (piece && dataset) list.look(piece);
    else list.close();
  };
  const press = (event: KeyboardEvent): boolean => {
    const hit = list.hits?.[Math.max(list.at, 0)];
    if (event.key !== "Tab" || event.shiftKey || !hit) return list.press(event);
    event.preventDefault();
    take(hit);
    return true;
  };
  return { ...list, later, press };
}
