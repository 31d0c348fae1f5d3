// A name in a verified question that can be chosen: a box that offers things of the right kind, by the usual keys.
import { useEffect, useId, useRef } from "preact/hooks";
import { t } from "../i18n";
import { boardWords } from "../i18n/boards";
import { boards } from "../net/boards";
import type { BoardCandidate, BoardParameter } from "../types";
import { Suggestions, useCombobox } from "./combobox";

export interface ChoiceNeeds {
  /** The question that knows what can be chosen. */
  question: string;
  dataset: string;
  parameter: BoardParameter;
  /** What is chosen is called so. */
  label: string;
  choose: (value: string) => void;
}

export function Choice({ question, dataset, parameter, label, choose }: ChoiceNeeds) {
  const id = useId();
  const box = useRef<HTMLInputElement>(null);
  const write = (text: string): void => void (box.current && (box.current.value = text));
  const written = (): string => box.current?.value.trim() ?? "";
  useEffect(() => (write(label), undefined), [label]);
  const take = (value: string, shown = value): void => {
    list.close();
    write(shown || label);
    if (shown !== label) choose(value);
  };
  const list = useCombobox<BoardCandidate>(
    (typed, signal) => boards.candidates(question, parameter.name, typed, dataset, signal), (hit) => take(hit.value, hit.label),
  );
  const { hits, at, aria } = list;
  const later = (typed: string): void => void (parameter.number || list.look(typed.trim()));
  const onKeyDown = (event: KeyboardEvent): void => {
    if (list.press(event) || event.isComposing) return;
    if (event.key === "Enter") take(written());
    else if (event.key === "Escape") write(label);
    else if (event.key === "ArrowDown") later("");
    else return;
    event.preventDefault();
  };
  return (
    <div class="choosing">
      <label class="soft small" for={id}>{parameter.name.replace(/[-_]+/g, " ")}</label>
      <input ref={box} id={id} role="combobox" autocomplete="off" spellcheck={false} maxLength={200} dir="auto" defaultValue={label}
        inputMode={parameter.number ? "decimal" : undefined} {...aria} aria-autocomplete={parameter.number ? "none" : "list"}
        aria-expanded={!!hits?.length} onFocus={(event) => (event.currentTarget.select(), later(""))}
        onInput={(event) => later(event.currentTarget.value)} onBlur={() => take(written())} onKeyDown={onKeyDown} />
      <Suggestions of={list} label={parameter.name} show={(hit) => [hit.label, hit.about]}
        told={hits && boardWords().choices(hits.length) + (hits[at] ? t.colon + hits[at].label : "")} />
    </div>
  );
}
