// The box for a question: grows with its text, completes names of the graph, Enter asks, Shift and Enter breaks a line.
import { bdi, button, fill, h } from "../dom";
import { lang, t } from "../i18n";
import { api } from "../net/api";
import type { Hit } from "../types";

const WAIT = 90;
let count = 0;

export interface AskNeeds {
  label: string;
  hint: string;
  dataset: () => string;
  ask: (question: string) => void;
  stop?: () => void;
}

export interface AskBox {
  element: HTMLElement;
  input: HTMLTextAreaElement;
  set: (question: string) => void;
  busy: (busy: boolean) => void;
}

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

class Completion {
  readonly list: HTMLElement;
  readonly status = h("span", { class: "unseen", role: "status" });
  private hits: Hit[] = [];
  private at = -1;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private asking: AbortController | undefined;

  constructor(private readonly input: HTMLTextAreaElement, private readonly needs: AskNeeds) {
    this.list = h("ul", { id: `suggestions-${(count += 1)}`, role: "listbox", class: "suggestions", "aria-label": t.kinds["any"] ?? "", hidden: true });
    input.setAttribute("aria-controls", this.list.id);
    input.setAttribute("aria-autocomplete", "list");
  }

  get open(): boolean {
    return !this.list.hidden;
  }

  later(): void {
    clearTimeout(this.timer);
    const piece = fragment(this.before());
    if (!piece) return this.close();
    this.timer = setTimeout(() => void this.look(piece), WAIT);
  }

  close(): void {
    clearTimeout(this.timer);
    this.asking?.abort();
    this.list.hidden = true;
    this.at = -1;
    this.input.removeAttribute("aria-activedescendant");
    this.status.textContent = "";
  }

  /** Takes a key while the list is open; true when it was meant for the list. */
  key(event: KeyboardEvent): boolean {
    if (!this.open) return false;
    if (event.key === "ArrowDown") this.move(1);
    else if (event.key === "ArrowUp") this.move(-1);
    else if (event.key === "Escape") this.close();
    else if (event.key === "Tab" && !event.shiftKey) this.take(Math.max(this.at, 0));
    else if (event.key === "Enter" && this.at >= 0) this.take(this.at);
    else return false;
    return true;
  }

  private before(): string {
    return this.input.value.slice(0, this.input.selectionEnd ?? this.input.value.length);
  }

  private async look(piece: string): Promise<void> {
    this.asking?.abort();
    const asking = new AbortController();
    this.asking = asking;
    try {
      const hits = await api.search(this.needs.dataset(), piece, "any", lang, asking.signal);
      if (!asking.signal.aborted && document.activeElement === this.input) this.show(hits);
    } catch {
      // A question can be asked without suggestions.
    }
  }

  private show(hits: Hit[]): void {
    this.hits = hits;
    this.at = -1;
    this.input.removeAttribute("aria-activedescendant");
    fill(this.list, hits.map((hit, n) => this.option(hit, n)));
    this.list.hidden = hits.length === 0;
    this.status.textContent = t.suggestions(hits.length);
  }

  private option(hit: Hit, n: number): HTMLElement {
    const note = hit.classes?.[0] ?? t.kinds[hit.kind] ?? hit.kind;
    return h("li", {
      id: `${this.list.id}-${n}`, role: "option", "aria-selected": "false",
      // The box keeps the focus.
      onmousedown: (event: MouseEvent) => (event.preventDefault(), this.take(n)),
    }, bdi(hit.label), h("span", { class: "soft" }, bdi(note)));
  }

  private move(by: number): void {
    this.at = (this.at + by + this.hits.length + (this.at < 0 && by < 0 ? 1 : 0)) % this.hits.length;
    for (const [n, option] of [...this.list.children].entries()) option.setAttribute("aria-selected", String(n === this.at));
    this.input.setAttribute("aria-activedescendant", `${this.list.id}-${this.at}`);
  }

  private take(n: number): void {
    const before = this.before();
    const rest = this.input.value.slice(before.length);
    const text = completed(before, this.hits[n]?.label ?? "");
    this.input.value = text + rest.trimStart();
    this.input.setSelectionRange(text.length, text.length);
    this.close();
  }
}

export function askBox(needs: AskNeeds): AskBox {
  const input = h("textarea", {
    rows: 1, "aria-label": needs.label, placeholder: needs.hint, autocomplete: "off", spellcheck: "false", maxlength: 2000,
    dir: "auto", enterkeyhint: "send",
  });
  const completion = new Completion(input, needs);
  const send = h("button", { type: "submit", class: "main" }, t.ask);
  const stop = button(t.stop, () => needs.stop?.(), { class: "main halt", hidden: true });
  const submit = (): void => {
    completion.close();
    const question = input.value.trim();
    if (question) needs.ask(question);
    else input.focus();
  };
  input.addEventListener("input", () => completion.later());
  input.addEventListener("blur", () => completion.close());
  input.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    if (completion.key(event)) {
      event.preventDefault();
      event.stopPropagation();
    } else if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      submit();
    }
  });
  const element = h("form", { class: "ask", role: "search", "aria-label": needs.label, onsubmit: (event: Event) => (event.preventDefault(), submit()) },
    h("div", { class: "grower" }, input), send, stop, completion.list, completion.status);
  return {
    element,
    input,
    set: (question) => ((input.value = question), completion.close()),
    busy(busy) {
      send.hidden = busy;
      stop.hidden = !busy;
    },
  };
}
