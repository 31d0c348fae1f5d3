// A box with a list below it: looked up while somebody writes, gone through with the arrow keys, taken with Enter or a click.
import { useEffect, useId, useRef, useState } from "preact/hooks";

const WAIT = 90;

export interface Combobox<T> {
  id: string;
  /** What was found; nothing while the list is closed. */
  hits: T[] | undefined;
  /** Which of them is chosen, -1 for none. */
  at: number;
  /** What the box says of its list. */
  aria: { "aria-controls": string; "aria-autocomplete": "list"; "aria-activedescendant": string | undefined };
  /** Looks up what is written, a little later and only its last state. */
  look: (text: string, wait?: number) => void;
  close: () => void;
  take: (hit: T) => void;
  /** Takes a key while the list is open; true when it was meant for the list. */
  press: (event: KeyboardEvent) => boolean;
}

export function useCombobox<T>(find: (text: string, signal: AbortSignal) => Promise<T[]>, take: (hit: T) => void): Combobox<T> {
  const id = useId();
  const [hits, setHits] = useState<T[]>();
  const [at, setAt] = useState(-1);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const asking = useRef<AbortController>(undefined);
  const show = (found?: T[]): void => (setHits(found), setAt(-1));
  const stop = (): void => (clearTimeout(timer.current), asking.current?.abort());
  const close = (): void => (stop(), show());
  const look = (text: string, wait = WAIT): void => {
    stop();
    const { signal } = (asking.current = new AbortController());
    // Everything can be written without suggestions.
    timer.current = setTimeout(() => find(text, signal).then((found) => signal.aborted || show(found), () => undefined), wait);
  };
  useEffect(() => stop, []);
  const press = (event: KeyboardEvent): boolean => {
    const count = hits?.length;
    const hit = hits?.[at];
    if (!count || event.isComposing) return false;
    if (event.key === "ArrowDown") setAt((at + 1) % count);
    else if (event.key === "ArrowUp") setAt((Math.max(at, 0) - 1 + count) % count);
    else if (event.key === "Escape") close();
    else if (event.key === "Enter" && hit) take(hit);
    else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  };
  const aria = { "aria-controls": id, "aria-autocomplete": "list", "aria-activedescendant": at < 0 ? undefined : `${id}-${at}` } as const;
  return { id, hits, at, aria, look, close, take, press };
}

interface ListNeeds<T> {
  of: Combobox<T>;
  label: string | undefined;
  /** The name of a hit, and what tells it from others. */
  show: (hit: T) => [string, (string | null | undefined)?];
  /** What is said of the list to those who do not see it. */
  told: string | undefined;
}

export function Suggestions<T>({ of: { id, hits = [], at, take }, label, show, told }: ListNeeds<T>) {
  return (
    <>
      <ul id={id} role="listbox" class="suggestions" aria-label={label} hidden={hits.length === 0}>
        {hits.map((hit, n) => {
          const [name, about] = show(hit);
          return (
            // The box keeps the focus.
            <li id={`${id}-${n}`} role="option" aria-selected={n === at} onMouseDown={(event) => (event.preventDefault(), take(hit))}>
              <bdi>{name}</bdi>{about && <span class="soft"><bdi>{about}</bdi></span>}
            </li>
          );
        })}
      </ul>
      <span class="unseen" role="status">{told}</span>
    </>
  );
}
