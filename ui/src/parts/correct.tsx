// What was misread, one thing asked at a time: which word, then what it means in this graph. It becomes a proposal.
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { lang, t } from "../i18n";
import { keepMeaning, sent, type Mine } from "../meanings";
import { api, failureOf } from "../net/api";
import type { Failure, Hit, Run } from "../types";
import { Suggestions } from "./completion";
import { Failed } from "./failure";
import { phrases } from "./phrases";

const WAIT = 90;
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
        <button class={unused ? "example unplaced" : "example"} onClick={() => choose(words)}>
          <bdi>{words}</bdi>{name && name !== words && <small class="soft"> <bdi>{name}</bdi></small>}
        </button>
      ))}
      <button class="link" onClick={other}>{t.something_else}</button>
    </div>
  );
}

/** Names of the graph for what is written, the last state of it only. */
function useHits(dataset: string) {
  const [hits, set] = useState<Hit[]>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const asking = useRef<AbortController>(undefined);
  const look = (text: string, wait = WAIT): void => {
    clearTimeout(timer.current);
    asking.current?.abort();
    const mine = new AbortController();
    asking.current = mine;
    if (text.trim().length < 2) return set(undefined);
    timer.current = setTimeout(() => {
      api.search(dataset, text.trim(), "any", lang, mine.signal).then((found) => !mine.signal.aborted && set(found), () => undefined);
    }, wait);
  };
  useEffect(() => () => (clearTimeout(timer.current), asking.current?.abort()), []);
  return { hits, look };
}

function Term({ dataset, words, choose, back }: { dataset: string; words: string; choose: (hit: Hit) => void; back: () => void }) {
  const id = useId();
  const { hits, look } = useHits(dataset);
  const [at, setAt] = useState(-1);
  // What is written like the word may be it.
  useEffect(() => look(words, 0), []);
  const take = (n: number): void => void (hits?.[n] && choose(hits[n]));
  const onKeyDown = (event: KeyboardEvent): void => {
    const count = hits?.length ?? 0;
    if (event.key === "ArrowDown" && count) setAt((at + 1) % count);
    else if (event.key === "ArrowUp" && count) setAt((Math.max(at, 0) - 1 + count) % count);
    else if (event.key === "Enter") take(Math.max(at, 0));
    else if (event.key === "Escape") back();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const told = hits && (hits.length > 0 ? t.suggestions(hits.length) : t.no_such_name);
  return (
    <div class="correct term">
      <label for={`${id}-box`}><bdi>{t.meant_by(words)}</bdi></label>
      <div class="row">
        <input ref={focus} id={`${id}-box`} role="combobox" placeholder={t.meant_hint} autocomplete="off" spellcheck={false} dir="auto"
          aria-controls={id} aria-expanded={!!hits?.length} aria-autocomplete="list" aria-activedescendant={at < 0 ? undefined : `${id}-${at}`}
          onInput={(event) => (setAt(-1), look(event.currentTarget.value))} onKeyDown={onKeyDown} />
        <button class="plain" onClick={back}>{t.cancel}</button>
      </div>
      <div class="found"><Suggestions id={id} hits={hits} at={at} take={take} told={told} /></div>
      {hits?.length === 0 && <p class="soft note">{t.no_such_name}</p>}
    </div>
  );
}

export function Correct({ run, other, again }: CorrectNeeds) {
  const [words, setWords] = useState<string>();
  const [mine, setMine] = useState<Mine>();
  const [error, setError] = useState<Failure>();
  const propose = (words: string, hit: Hit): void => {
    const one = { words, kind: hit.kind === "entity" ? "thing" : hit.kind, iri: hit.iri, name: hit.label };
    void api.correct(run.id, sent(one)).then(() => setMine(one), (error) => setError(failureOf(error)));
  };
  if (error) return <Failed error={error} retry={() => (setError(undefined), setWords(undefined))} />;
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
  return <Term dataset={run.dataset} words={words} choose={(hit) => propose(words, hit)} back={() => setWords(undefined)} />;
}
