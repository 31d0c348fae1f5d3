// A name in a verified question that can be chosen: a box that offers things of the right kind, by the usual keys.
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { t } from "../i18n";
import { boardWords } from "../i18n/boards";
import { boards } from "../net/boards";
import type { BoardCandidate, BoardParameter } from "../types";

export interface ChoiceNeeds {
  /** The question that knows what can be chosen. */
  question: string;
  dataset: string;
  parameter: BoardParameter;
  /** What is chosen is called so. */
  label: string;
  choose: (value: string) => void;
}

const WAIT = 90;

/** Looks up what is typed, a little later and only its last state. */
function useCandidates({ question, dataset, parameter }: ChoiceNeeds, show: (found: BoardCandidate[] | undefined) => void) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const asking = useRef<AbortController>(undefined);
  const close = (): void => {
    clearTimeout(timer.current);
    asking.current?.abort();
    show(undefined);
  };
  const look = async (typed: string): Promise<void> => {
    asking.current?.abort();
    const mine = new AbortController();
    asking.current = mine;
    try {
      const found = await boards.candidates(question, parameter.name, typed, dataset, mine.signal);
      if (!mine.signal.aborted) show(found);
    } catch {
      // A name can be written without suggestions.
    }
  };
  const later = (typed: string): void => {
    clearTimeout(timer.current);
    if (!parameter.number) timer.current = setTimeout(() => void look(typed.trim()), WAIT);
  };
  return { later, close };
}

export function Choice(needs: ChoiceNeeds) {
  const { parameter, label, choose } = needs;
  const id = useId();
  const box = useRef<HTMLInputElement>(null);
  const [hits, setHits] = useState<BoardCandidate[]>();
  const [at, setAt] = useState(-1);
  const { later, close } = useCandidates(needs, (found) => (setHits(found), setAt(-1)));
  const open = hits !== undefined && hits.length > 0;
  const write = (text: string): void => void (box.current && (box.current.value = text));
  useEffect(() => (write(label), undefined), [label]);
  const take = (value: string, shown = value): void => {
    close();
    write(shown || label);
    if (shown !== label) choose(value);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const count = hits?.length ?? 0;
    const hit = hits?.[at];
    if (event.isComposing) return;
    if (event.key === "Enter") hit ? take(hit.value, hit.label) : take(box.current?.value.trim() ?? "");
    else if (event.key === "Escape") open ? close() : write(label);
    else if (event.key === "ArrowDown" && !open) later("");
    else if (event.key === "ArrowDown") setAt((at + 1) % count);
    else if (event.key === "ArrowUp" && open) setAt((Math.max(at, 0) - 1 + count) % count);
    else return;
    event.preventDefault();
  };
  return (
    <div class="choosing">
      <label class="soft small" for={id}>{parameter.name.replace(/[-_]+/g, " ")}</label>
      <input ref={box} id={id} role="combobox" autocomplete="off" spellcheck={false} maxLength={200} dir="auto" defaultValue={label}
        inputMode={parameter.number ? "decimal" : undefined} aria-autocomplete={parameter.number ? "none" : "list"} aria-expanded={open}
        aria-controls={`${id}-list`} aria-activedescendant={open && at >= 0 ? `${id}-${at}` : undefined}
        onFocus={(event) => (event.currentTarget.select(), later(""))} onInput={(event) => later(event.currentTarget.value)}
        onBlur={(event) => take(event.currentTarget.value.trim())} onKeyDown={onKeyDown} />
      <ul id={`${id}-list`} role="listbox" class="suggestions" aria-label={parameter.name} hidden={!open}>
        {hits?.map((hit, n) => (
          // The box keeps the focus.
          <li key={hit.value} id={`${id}-${n}`} role="option" aria-selected={n === at} onMouseDown={(event) => (event.preventDefault(), take(hit.value, hit.label))}>
            <bdi>{hit.label}</bdi>{hit.about && <span class="soft"><bdi>{hit.about}</bdi></span>}
          </li>
        ))}
      </ul>
      <span class="unseen" role="status">{hits && boardWords().choices(hits.length)}{hits?.[at] && t.colon + hits[at].label}</span>
    </div>
  );
}
