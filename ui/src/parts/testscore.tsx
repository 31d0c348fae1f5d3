// The score of a test set, and asking all of it again.
import { useState } from "preact/hooks";
import { lang, t } from "../i18n";
import { testWords } from "../i18n/tests";
import { failureOf } from "../net/api";
import { tests } from "../net/tests";
import type { AskedAgain, Failure, JudgedTest, TestScore, TestShare } from "../types";
import { Failed } from "./failure";

const percent = (share: number): string => share.toLocaleString(lang, { style: "percent", maximumFractionDigits: 0 });

function Shares({ title, all, name }: { title: string; all: TestShare[]; name: (one: string) => string }) {
  if (all.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <ul>
        {all.map(({ name: one, right, of }) => <li><bdi>{name(one)}</bdi>{t.colon}{right.toLocaleString(lang)} / {of.toLocaleString(lang)} <meter min={0} max={of} value={right} aria-label={name(one)} /></li>)}
      </ul>
    </>
  );
}

interface Asked {
  test: JudgedTest;
  now: AskedAgain;
}

/** Asks all questions again, one after the other. */
function Again({ dataset, ended, more }: { dataset: string; ended: boolean; more: () => void }) {
  const words = testWords();
  const [all, setAll] = useState(0);
  const [found, setFound] = useState<Asked[]>([]);
  const [error, setError] = useState<Failure>();
  const busy = all > 0 && found.length < all;
  const start = async (): Promise<void> => {
    setError(undefined);
    const set = (await tests.all(dataset, 0, "")).tests;
    setAll(set.length);
    const asked: Asked[] = [];
    setFound([]);
    for (const test of set) {
      asked.push({ test, now: await tests.again(dataset, test.id) });
      setFound([...asked]);
    }
  };
  const changed = found.filter(({ test, now }) => !now.right || !test.right);
  return (
    <>
      <div class="row decide">
        <button class={ended ? "main" : "plain"} disabled={busy} onClick={() => void start().catch((error) => (setAll(0), setError(failureOf(error))))}>{words.again}</button>
        <button class="plain" disabled={busy} onClick={more}>{words.more}</button>
      </div>
      {error && <Failed error={error} />}
      {all > 0 && (
        <p role="status">
          {busy ? words.asking(String(found.length + 1), String(all)) : words.still(found.filter(({ now }) => now.right).length, all)}
        </p>
      )}
      {changed.length > 0 && (
        <ul class="changes">
          {changed.map(({ test, now }) => (
            <li>
              <h3><bdi>{test.question}</bdi><span class={now.right ? "chip" : "chip warn"}>{now.right ? words.better : words.worse}</span></h3>
              <p dir="auto">{now.answer.text || "–"}</p>
              {now.reason && <p class="soft note">{words.reasons[now.reason]}</p>}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** What has been judged, the wrong ones first, for judging anew. */
export function Judged({ tests, anew }: { tests: JudgedTest[]; anew: (test: JudgedTest) => void }) {
  const words = testWords();
  if (tests.length === 0) return null;
  return (
    <details>
      <summary>{words.judged} ({tests.length.toLocaleString(lang)})</summary>
      <ul class="changes">
        {[...tests].sort((a, b) => Number(a.right) - Number(b.right)).map((test) => (
          <li>
            <h3><bdi>{test.question}</bdi><span class={test.right ? "chip" : "chip warn"}>{test.right ? words.right : words.wrong}</span></h3>
            <button class="plain" onClick={() => anew(test)}>{words.anew}</button>
          </li>
        ))}
      </ul>
    </details>
  );
}

export function Score({ dataset, score, ended, judged, more }: { dataset: string; score: TestScore; ended: boolean; judged: number; more: () => void }) {
  const words = testWords();
  const { all: { right, of, share, low, high }, constructs, confidences, open } = score;
  return (
    <section class="card proposal testscore" aria-label={words.start}>
      <h2>{words.score(right, of, percent(share), percent(low), percent(high))}</h2>
      {(ended || judged === 0) && (
        <>
          <Shares title={words.by_construct} all={constructs} name={(one) => words.constructs[one] ?? one} />
          <Shares title={words.by_confidence} all={confidences} name={(one) => (t.confidence as Record<string, string>)[one] ?? one} />
          {open > 0 && <p class="soft note">{words.open(open)}</p>}
        </>
      )}
      <Again dataset={dataset} ended={ended} more={more} />
    </section>
  );
}
