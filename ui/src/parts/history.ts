// The questions of this browser: kept here and nowhere else, searched, opened, forgotten.
import { bdi, button, fill, h, type Child } from "../dom";
import { lang, t } from "../i18n";
import { icon } from "../icons";
import { recall, remember } from "../keep";
import { dialog } from "./dialog";

const MOST = 200;

export interface Past {
  id: string;
  dataset: string;
  question: string;
  text: string;
  at: string;
}

function isPast(one: unknown): one is Past {
  const past = one as Partial<Past> | null;
  return typeof past?.id === "string" && typeof past.question === "string" && typeof past.dataset === "string";
}

export function pasts(): Past[] {
  try {
    const kept: unknown = JSON.parse(recall("history") ?? "[]");
    return Array.isArray(kept) ? kept.filter(isPast) : [];
  } catch {
    return [];
  }
}

const keep = (all: Past[]): void => remember("history", JSON.stringify(all.slice(0, MOST)));

/** Notes a question; the same question of the same graph stands once, at its last time. */
export function note(past: Past): void {
  const others = pasts().filter(({ id, question, dataset }) => id !== past.id && (question !== past.question || dataset !== past.dataset));
  keep([{ ...past, text: past.text.slice(0, 300) }, ...others]);
}

/** The past questions that hold every word of a text. */
export function found(all: Past[], text: string): Past[] {
  const words = text.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  return all.filter((past) => words.every((word) => `${past.question} ${past.text}`.toLocaleLowerCase().includes(word)));
}

/** The panel of past questions. */
export function showHistory(open: (past: Past) => void): void {
  const list = h("ul", { class: "pasts" });
  const draw = (): void => {
    const all = pasts();
    const wanted = found(all, search.value);
    clear.hidden = all.length === 0;
    fill(list, wanted.map(line), wanted.length === 0 ? h("li", { class: "soft padded" }, all.length > 0 ? t.history_no_match : t.history_none) : null);
  };
  const line = (past: Past): Child =>
    h("li", null,
      button([h("span", { class: "past" }, bdi(past.question)),
        h("span", { class: "soft small" }, bdi(past.text || past.dataset), " · ", new Date(past.at).toLocaleDateString(lang))],
      () => (box.close(), open(past)), { class: "open" }),
      button(icon("close"), () => (keep(pasts().filter(({ id }) => id !== past.id)), draw(), search.focus()),
        { class: "plain square", "aria-label": t.forget(past.question) }));
  const search = h("input", { type: "search", placeholder: t.history_search, "aria-label": t.history_search, oninput: draw });
  const clear = button(t.history_clear, () => (keep([]), draw(), search.focus()), { class: "link" });
  draw();
  const box = dialog(t.history, [h("div", { class: "row tools" }, search, clear), list]);
  search.focus();
}
