// Names of the graph for what is being written in a box: looked up after two letters, chosen with the arrow keys and Tab.
import type { RefObject } from "preact";
import { useId, useRef, useState } from "preact/hooks";
import { lang, t } from "../i18n";
import { api } from "../net/api";
import type { Hit } from "../types";

const WAIT = 90;

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

export interface Completion {
  id: string;
  /** What was found; nothing while the list is closed. */
  hits: Hit[] | undefined;
  /** Which of them is chosen, -1 for none. */
  at: number;
  later: () => void;
  close: () => void;
  take: (n: number) => void;
  /** Takes a key while the list is open; true when it was meant for the list. */
  press: (event: KeyboardEvent) => boolean;
}

/** Looks up what is being written, a little later and only its last state; `show` gets what was found. */
function useLookup(box: RefObject<HTMLTextAreaElement | null>, dataset: string, show: (hits: Hit[] | undefined) => void) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const asking = useRef<AbortController>(undefined);
  const close = (): void => {
    clearTimeout(timer.current);
    asking.current?.abort();
    show(undefined);
  };
  const look = async (piece: string): Promise<void> => {
    asking.current?.abort();
    const mine = new AbortController();
    asking.current = mine;
    try {
      const found = await api.search(dataset, piece, "any", lang, mine.signal);
      if (!mine.signal.aborted && document.activeElement === box.current) show(found);
    } catch {
      // A question can be asked without suggestions.
    }
  };
  const later = (): void => {
    clearTimeout(timer.current);
    const piece = fragment(before(box.current));
    if (piece && dataset) timer.current = setTimeout(() => void look(piece), WAIT);
    else close();
  };
  return { later, close };
}

export function useCompletion(box: RefObject<HTMLTextAreaElement | null>, dataset: string): Completion {
  const id = useId();
  const [hits, setHits] = useState<Hit[]>();
  const [at, setAt] = useState(-1);
  const { later, close } = useLookup(box, dataset, (found) => (setHits(found), setAt(-1)));
  const take = (n: number): void => {
    if (!box.current) return;
    const written = before(box.current);
    const text = completed(written, hits?.[n]?.label ?? "");
    box.current.value = text + box.current.value.slice(written.length).trimStart();
    box.current.setSelectionRange(text.length, text.length);
    close();
  };
  const press = (event: KeyboardEvent): boolean => {
    if (!hits?.length) return false;
    const count = hits.length;
    if (event.key === "ArrowDown") setAt((at + 1) % count);
    else if (event.key === "ArrowUp") setAt((Math.max(at, 0) - 1 + count) % count);
    else if (event.key === "Escape") close();
    else if (event.key === "Tab" && !event.shiftKey) take(Math.max(at, 0));
    else if (event.key === "Enter" && at >= 0) take(at);
    else return false;
    return true;
  };
  return { id, hits, at, later, close, take, press };
}

export function Suggestions({ id, hits = [], at, take, told }: Pick<Completion, "id" | "hits" | "at" | "take"> & { told?: string | undefined }) {
  return (
    <>
      <ul id={id} role="listbox" class="suggestions" aria-label={t.kinds["any"]} hidden={hits.length === 0}>
        {hits.map((hit, n) => (
          // The box keeps the focus.
          <li id={`${id}-${n}`} role="option" aria-selected={n === at} onMouseDown={(event) => (event.preventDefault(), take(n))}>
            <bdi>{hit.label}</bdi><span class="soft"><bdi>{hit.classes?.[0] ?? t.kinds[hit.kind] ?? hit.kind}</bdi></span>
          </li>
        ))}
      </ul>
      <span class="unseen" role="status">{told}</span>
    </>
  );
}
