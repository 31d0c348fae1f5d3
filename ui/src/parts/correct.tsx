// What was misread, one thing asked at a time: which word, then what it means in this graph. What was picked is shown, and becomes a
// proposal once it is sent.
import { useEffect, useId, useState } from "preact/hooks";
import { lang, t } from "../i18n";
import { keepMeaning, sent, type Mine } from "../meanings";
import { api, failureOf } from "../net/api";
import type { Failure, Hit, Run } from "../types";
import { Suggestions, useCombobox } from "./combobox";
import { Failed } from "./failure";
import { kindOf } from "./kinds";
import { phrases } from "./phrases";

/** Values beside other names. */
const VALUES = 4;
/** Letters of a name that is looked up. */
const LEAST = 2;
const focus = (element: HTMLElement | null): void => element?.focus();

interface CorrectNeeds {
  run: Run;
  /** Something else than a word is wrong. */
  other: () => void;
  /** Asks again with a meaning. */
  again: (mine: Mine) => void;
}

function Words({ run, choose, other }: { run: Run; choose: (words: string) => void; other: () => void }) {
  return (
    <div class="choice correct" role="group" aria-label={t.misread}>
      <span role="status" tabIndex={-1} ref={focus}>{t.misread}</span>
      {phrases(run).map(({ words, name, unused }) => (
        <button class={unused ? "example unplaced" : "example"} title={unused ? t.not_placed : undefined} onClick={() => choose(words)}>
          <bdi>{words}</bdi>{name && name !== words && <small class="soft"> <bdi>{name}</bdi></small>}
        </button>
      ))}
      <button class="link" onClick={other}>{t.something_else}</button>
    </div>
  );
}

/** Names of the graph that go on like a text, and values. */
async function terms(dataset: string, text: string, signal: AbortSignal): Promise<Hit[]> {
  const [named = [], values = []] = await Promise.all(["any", "value"].map((kind) => api.search(dataset, text, kind, lang, signal)));
  return [...named, ...values.slice(0, VALUES)];
}

/** What the words mean with a hit, as it is sent and kept. */
const meaningOf = (words: string, { kind, iri, label, property }: Hit): Mine =>
  kind === "value"
    ? { words, kind, iri, name: property ? `${label} (${property})` : label, value: label }
    : { words, kind: kind === "entity" ? "thing" : kind, iri, name: label };

const about = ({ kind, classes, property }: Hit): string => kindOf(kind, kind === "value" ? property : classes?.[0]);

function Term({ dataset, words, choose, back }: { dataset: string; words: string; choose: (hit: Hit) => void; back: () => void }) {
  const id = useId();
  const [typed, setTyped] = useState("");
  const list = useCombobox<Hit>((text, signal) => terms(dataset, text, signal), choose);
  const { hits, aria } = list;
  // What is written like the word may be it.
  useEffect(() => list.look(words, 0), []);
  const write = (text: string): void => {
    setTyped(text);
    if (text.length < LEAST) list.close();
    else list.look(text);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (list.press(event) || event.isComposing) return;
    if (event.key === "Enter") hits?.[0] && choose(hits[0]);
    else if (event.key === "Escape") back();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  // Of the word itself nobody has said that it is a name.
  const none = hits?.length === 0 && typed.length >= LEAST;
  return (
    <div class="correct term">
      <label for={`${id}-box`}><bdi>{t.meant_by(words)}</bdi></label>
      <div class="row">
        <input ref={focus} id={`${id}-box`} role="combobox" placeholder={t.meant_hint} autocomplete="off" spellcheck={false} dir="auto" maxLength={200}
          {...aria} aria-expanded={!!hits?.length} onInput={(event) => write(event.currentTarget.value.trim())} onKeyDown={onKeyDown} />
        <button class="plain" onClick={back}>{t.cancel}</button>
      </div>
      <div class="found">
        <Suggestions of={list} label={t.kinds["any"]} show={(hit) => [hit.label, about(hit)]}
          told={hits && (hits.length > 0 ? t.suggestions(hits.length) : none ? t.no_such_name : undefined)} />
      </div>
      {none ? <p class="soft note">{t.no_such_name}</p> : !hits?.length && <p class="soft note">{t.meant_what}</p>}
    </div>
  );
}

/** What was picked, before it is sent. */
function Picked({ words, hit, send, back }: { words: string; hit: Hit; send: () => void; back: () => void }) {
  return (
    <div class="choice correct" role="group" aria-label={t.meant_by(words)}>
      <span role="status" tabIndex={-1} ref={focus}>
        <bdi>{t.learn_word(words, hit.label)}</bdi> <span class="soft">(<bdi>{about(hit)}</bdi>)</span>
        {hit.description && <small class="soft"> <bdi>{hit.description}</bdi></small>}
      </span>
      <button class="example" onClick={send}>{t.propose}</button>
      <button class="link" onClick={back}>{t.choose_other}</button>
    </div>
  );
}

export function Correct({ run, other, again }: CorrectNeeds) {
  const [words, setWords] = useState<string>();
  const [hit, setHit] = useState<Hit>();
  const [mine, setMine] = useState<Mine>();
  const [error, setError] = useState<Failure>();
  const send = (one: Mine): void => void api.correct(run.id, sent(one)).then(() => setMine(one), (error) => setError(failureOf(error)));
  if (error) return <Failed error={error} retry={() => setError(undefined)} />;
  if (mine) {
    return (
      <div class="choice correct">
        <span role="status" tabIndex={-1} ref={focus}>{t.proposed}</span>
        <button class="example" onClick={() => again(mine)}>{t.ask_with}</button>
        <button class="example" onClick={() => (keepMeaning(run.dataset, mine), again(mine))}>{t.keep_mine}</button>
      </div>
    );
  }
  if (words === undefined) return <Words run={run} choose={setWords} other={other} />;
  if (hit) return <Picked words={words} hit={hit} send={() => send(meaningOf(words, hit))} back={() => setHit(undefined)} />;
  return <Term dataset={run.dataset} words={words} choose={setHit} back={() => setWords(undefined)} />;
}
