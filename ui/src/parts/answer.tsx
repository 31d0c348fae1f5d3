// The answer in words, and the chips under it.
import type { ComponentChildren } from "preact";
import { lang, t } from "../i18n";
import { shown, type RunState } from "../store/run";
import type { Answer, AnswerPart, Rows } from "../types";
import { Thing } from "./thing";

/** A text with the names marked that no row has. */
function marked(text: string, names: string[]): ComponentChildren[] {
  const name = names.find((one) => one && text.includes(one));
  if (!name) return [text];
  const at = text.indexOf(name);
  return [
    ...marked(text.slice(0, at), names), <mark title={t.unverified_one}><bdi>{name}</bdi></mark>,
    ...marked(text.slice(at + name.length), names),
  ];
}

type Ask = (question: string) => void;

function part(one: AnswerPart, unverified: string[], ask: Ask): ComponentChildren {
  if (one.asks) return <button class="thing asks" onClick={() => ask(one.text)}><bdi>{one.text}</bdi></button>;
  return one.iri ? <Thing iri={one.iri} name={one.text} href={one.href} /> : marked(one.text, unverified);
}

export function Sentence({ answer, ask }: { answer: Answer; ask: Ask }) {
  const { kind, lang, text, unverified } = answer;
  // Quotes of texts stand below, with where they are from.
  const parts = answer.parts.length > 0 ? answer.parts.filter(({ cites }) => !cites) : [{ text }];
  return (
    <div>
      <p class={`say ${kind}`} dir="auto" lang={lang || undefined}>{parts.map((one) => part(one, unverified, ask))}</p>
      {unverified.length > 0 && <p class="soft note">{t.unverified}</p>}
    </div>
  );
}

function RowChips({ rows }: { rows: Rows | null | undefined }) {
  if (!rows || "boolean" in rows) return null;
  return (
    <>
      <span class="chip plain">{t.rows(rows.row_count)}</span>
      {rows.incomplete && <span class="chip warn" title={rows.incomplete}>{t.incomplete}</span>}
    </>
  );
}

/** How sure, how many rows, by whom. */
export function Chips({ state }: { state: RunState }) {
  const { run, other } = state;
  const sure = other ? undefined : state.confidence;
  const checked = run?.trace?.verified;
  const by = checked ? checked.near ? t.verified_near : checked.replaced?.length ? t.verified_other : t.verified(checked.by, checked.at)
    : run?.answered_by === "agent" && run.model ? t.with_model(run.model) : run?.answered_by && t.without_model;
  const { answer, rows } = shown(state);
  return (
    <div class="chips">
      {other && <span class="chip warn">{t[other.kind]}</span>}
      {sure && (
        <span class={sure.name === "sure" ? "chip" : "chip warn"} title={t.probability(Math.round(sure.probability * 100))}>
          {t.confidence[sure.name] ?? sure.name}
        </span>
      )}
      {answer?.kind !== "not_in_graph" && <RowChips rows={rows} />}
      {by && !other && <span class="chip plain" title={checked?.text}><bdi>{by}</bdi></span>}
      {checked?.changed && !other && <span class="chip warn">{t.changed_since(checked.at)}</span>}
      {checked?.page && !other && <a class="chip" href={checked.page}>{t.as_page}</a>}
    </div>
  );
}

/** Word by word what stands for what, and what is not proven. */
export function Reasons({ state: { run, other } }: { state: RunState }) {
  if (!run || other || run.because.length === 0) return null;
  return (
    <details class="because">
      <summary>{t.because}</summary>
      <ul>
        {run.because.map(({ words, name, part, right }) => (
          <li>
            <bdi>{t.quoted(words)}</bdi> → {name ? <bdi>{name}</bdi> : t.query_part[part] ?? part}
            <small class="soft"> {t.right[right] ?? right}</small>
          </li>
        ))}
        {run.doubts.map(({ kind, about }) => (
          <li class="warn">{t.doubt[kind] ?? kind}{about && <>{t.colon}<bdi>{about}</bdi></>}</li>
        ))}
      </ul>
    </details>
  );
}

/** Words that found no place and names that the graph does not know, unless the sentence has said so. */
export function Doubts({ state: { run, other } }: { state: RunState }) {
  if (!run || other || run.answer?.kind === "doubt" || run.answer?.kind === "not_in_graph") return null;
  const note = (words: string[], say: (list: string) => string): ComponentChildren => {
    const unsaid = words.filter((word) => !run.answer?.text.includes(word)).map(t.quoted);
    return unsaid.length > 0 && <p class="soft note" dir="auto">{say(new Intl.ListFormat(lang, { type: "conjunction" }).format(unsaid))}</p>;
  };
  return <>{note(run.unused, t.unplaced)}{note(run.not_found, t.unknown_names)}</>;
}
