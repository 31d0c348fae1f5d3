// The box for a question: grows with its text, completes names of the graph, Enter asks, Shift and Enter breaks a line.
import { useLayoutEffect, useRef } from "preact/hooks";
import { t } from "../i18n";
import { Suggestions } from "./combobox";
import { useCompletion } from "./completion";

export interface AskNeeds {
  class?: string;
  label: string;
  hint: string;
  dataset: string;
  /** What stands in the box at first, and anew whenever another question is shown. */
  text: string;
  /** Counts the questions that are shown. */
  number: number;
  ask: (question: string) => void;
  /** Stops what is under way, while something is. */
  stop?: () => void;
}

export function AskBox({ class: kind = "ask", label, hint, dataset, text, number, ask, stop }: AskNeeds) {
  const box = useRef<HTMLTextAreaElement>(null);
  const completion = useCompletion(box, dataset);
  useLayoutEffect(() => {
    if (box.current) box.current.value = text;
    completion.close();
  }, [number]);
  const submit = (event: Event): void => {
    event.preventDefault();
    completion.close();
    const question = box.current?.value.trim();
    if (question) ask(question);
    else box.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.isComposing) return;
    if (!completion.press(event) && event.key === "Enter" && !event.shiftKey) submit(event);
  };
  return (
    <form class={kind} role="search" aria-label={label} onSubmit={submit}>
      <div class="grower">
        <textarea ref={box} rows={1} aria-label={label} placeholder={hint} autocomplete="off" spellcheck={false} maxLength={2000} dir="auto"
          enterkeyhint="send" {...completion.aria}
          onInput={completion.later} onBlur={completion.close} onKeyDown={onKeyDown} />
      </div>
      {/* Two buttons: one that became the other while it is pressed would ask again. */}
      {stop
        ? <button key="stop" type="button" class="main halt" onClick={stop}>{t.stop}</button>
        : <button key="ask" class="main">{t.ask}</button>}
      <Suggestions of={completion} label={t.kinds["any"]} told={completion.hits && t.suggestions(completion.hits.length)}
        show={({ label, classes, kind }) => [label, classes?.[0] ?? t.kinds[kind] ?? kind]} />
    </form>
  );
}
