// The answer in words, and the chips under it.
import { bdi, button, h, type Child } from "../dom";
import { lang, t } from "../i18n";
import { shown, type RunState } from "../store/run";
import type { Answer, AnswerPart, Rows } from "../types";
import { thing } from "./thing";

/** A text with the names marked that no row has. */
function marked(text: string, names: string[]): Child[] {
  const name = names.find((one) => one && text.includes(one));
  if (!name) return [text];
  const at = text.indexOf(name);
  return [...marked(text.slice(0, at), names), h("mark", { title: t.unverified_one }, bdi(name)), ...marked(text.slice(at + name.length), names)];
}

function part(one: AnswerPart, unverified: string[], ask?: (question: string) => void): Child {
  if (one.asks && ask) return button(bdi(one.text), () => ask(one.text), { class: "thing asks" });
  return one.iri ? thing(one.iri, one.text, one.href) : marked(one.text, unverified);
}

export function sentence(answer: Answer, ask?: (question: string) => void): HTMLElement {
  const parts = answer.parts?.length ? answer.parts : [{ text: answer.text }];
  const unverified = answer.unverified ?? [];
  return h("div", null,
    h("p", { class: `say ${answer.kind}`, dir: "auto", ...(answer.lang && { lang: answer.lang }) }, parts.map((one) => part(one, unverified, ask))),
    unverified.length > 0 ? h("p", { class: "soft note" }, t.unverified) : null);
}

/** What a model has written so far. */
export const streaming = (text: string): HTMLElement => h("p", { class: "say streaming", dir: "auto" }, text);

function rowChip(rows: Rows | undefined): Child {
  if (!rows || rows.boolean !== undefined) return null;
  const count = rows.row_count ?? rows.rows?.length ?? 0;
  return [h("span", { class: "chip plain" }, t.rows(count)), rows.incomplete ? h("span", { class: "chip warn", title: rows.incomplete === true ? null : rows.incomplete }, t.incomplete) : null];
}

/** How sure, how many rows, by whom. */
export function chips(state: RunState): HTMLElement {
  const { run, other } = state;
  const sure = other ? undefined : state.confidence;
  const percent = Math.round((sure?.probability ?? 0) * 100);
  const by = run?.answered_by === "agent" && run.model ? t.with_model(run.model) : run?.answered_by ? t.without_model : null;
  return h("div", { class: "chips" },
    other ? h("span", { class: "chip warn" }, t[other.kind]) : null,
    sure ? h("span", { class: sure.name === "sure" ? "chip" : "chip warn", title: t.probability(percent) }, t.confidence[sure.name] ?? sure.name) : null,
    shown(state).answer?.kind === "not_in_graph" ? null : rowChip(shown(state).rows),
    by && !other ? h("span", { class: "chip plain" }, bdi(by)) : null);
}

/** Word by word what stands for what, and what is not proven. */
export function because(state: RunState): Child {
  const run = state.run;
  if (!run || state.other || !run.because?.length) return null;
  const lines = run.because.map(({ words, name, part: what, right }) =>
    h("li", null, bdi(t.quoted(words)), " → ", name ? bdi(name) : t.query_part[what] ?? what, h("small", { class: "soft" }, ` ${t.right[right] ?? right}`)));
  const open = (run.doubts ?? []).map(({ kind, about }) =>
    h("li", { class: "warn" }, t.doubt[kind] ?? kind, about ? [t.colon, bdi(about)] : null));
  return h("details", { class: "because" }, h("summary", null, t.because), h("ul", null, lines, open));
}

/** Words that found no place and names that the graph does not know, unless the sentence has said so. */
export function doubts(state: RunState): Child {
  const run = state.run;
  if (!run || state.other) return null;
  if (run.answer?.kind === "doubt" || run.answer?.kind === "not_in_graph") return null;
  const list = (words: string[]): string => new Intl.ListFormat(lang, { type: "conjunction" }).format(words.map(t.quoted));
  const said = (words: string[] | undefined): string[] => (words ?? []).filter((word) => !run.answer?.text.includes(word));
  const [unused, unknown] = [said(run.unused), said(run.not_found)];
  return [
    unused.length > 0 ? h("p", { class: "soft note", dir: "auto" }, t.unplaced(list(unused))) : null,
    unknown.length > 0 ? h("p", { class: "soft note", dir: "auto" }, t.unknown_names(list(unknown))) : null,
  ];
}
