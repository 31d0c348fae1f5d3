// One verified question of a page: the question, who has verified it, its rows, and how old they are. The rows are asked for again
// when the question says so, while somebody looks at the page; all that the reader has opened stays as it is.
import { useEffect, useRef, useState } from "preact/hooks";
import { lang, t } from "../i18n";
import { boardWords } from "../i18n/boards";
import { Icon } from "../icons";
import { key } from "../keep";
import { failureOf } from "../net/api";
import { boards, type Chosen, type Result } from "../net/boards";
import type { BoardParameter, BoardQuestion, Config, Failure, Rows } from "../types";
import { Choice } from "./choice";
import { copy } from "./copy";
import { Results } from "./results";

export interface BoardCardNeeds {
  question: BoardQuestion;
  /** The parameters that are chosen in this card. */
  own: BoardParameter[];
  chosen: Chosen;
  choose: (parameter: string, value: string) => void;
  config: Config;
  /** Whether it is the only one, so that its question is the title of the page. */
  alone: boolean;
  /** Whether things can be looked at. */
  things: boolean;
  told: (question: string) => void;
}

const LIMIT = 100;
const MOST = 1000;
/** After so many seconds a result that could not be had is asked for again. */
const AGAIN = 30;
/** Longer than this a browser cannot wait, in milliseconds. */
const LONGEST = 2 ** 31 - 1;

interface Held extends Partial<Result> {
  error?: Failure;
  /** For which choices it is. */
  of: string;
  /** When it is to be asked for again, in milliseconds. */
  due: number;
}

/** The result for what is chosen, kept up to date where the question says so. */
function useResult({ question, chosen }: BoardCardNeeds) {
  const of = JSON.stringify([chosen, lang]);
  const [held, set] = useState<Held>({ of, due: Infinity });
  const latest = useRef(of);
  latest.current = of;
  const load = async (limit: number): Promise<void> => {
    const after = (seconds: number): number => Date.now() + seconds * 1000;
    try {
      const found = await boards.result(question.name, chosen, limit);
      if (latest.current === of) set({ ...found, of, due: after(Math.max(found.seconds, 1)) });
    } catch (error) {
      // What is there stays, unless something else was chosen.
      if (latest.current === of) set((now) => ({ ...(now.of === of && now), of, error: failureOf(error), due: after(AGAIN) }));
    }
  };
  useEffect(() => void load(LIMIT), [of]);
  const rows = held.result?.rows;
  const shown = rows && !("boolean" in rows) ? rows.rows.length : 0;
  useEffect(() => {
    if (!question.refresh || held.due === Infinity) return;
    let timer: ReturnType<typeof setTimeout>;
    const look = (): void => {
      clearTimeout(timer);
      if (document.hidden) return;
      const wait = held.due - Date.now();
      if (wait > 0) timer = setTimeout(look, Math.min(wait, LONGEST));
      else void load(Math.min(Math.max(shown, LIMIT), MOST));
    };
    look();
    document.addEventListener("visibilitychange", look);
    return () => (clearTimeout(timer), document.removeEventListener("visibilitychange", look));
  }, [held.due, shown]);
  const more = (next: Rows): void => set((now) => {
    const before = now.result?.rows;
    if (!now.result || !before || "boolean" in before || "boolean" in next) return now;
    return { ...now, result: { ...now.result, rows: { ...before, rows: [...before.rows, ...next.rows], places: { ...before.places, ...next.places } } } };
  });
  return { held, more, again: () => load(LIMIT), current: held.of === of };
}

/** What went wrong, with what can be chosen instead. */
function Wrong({ error, again, choose }: { error: Failure; again: () => void; choose: (parameter: string, value: string) => void }) {
  const b = boardWords();
  const [what, todo] = b.errors[error.code] ?? t.errors[error.code] ?? t.errors["other"] ?? ["", ""];
  const { candidates = [], parameter } = error;
  return (
    <div class="failure" role="alert">
      <Icon name="warn" />
      <div>
        <p class="what">{what}</p>
        <p>{todo}</p>
        {error.detail && <p class="soft detail"><bdi>{error.detail}</bdi></p>}
        {parameter && candidates.length > 0 && (
          <ul class="candidates" aria-label={b.choose}>
            {candidates.map(({ label, value, about }) => (
              <li><button class="plain" onClick={() => choose(parameter, value)}><bdi>{label}</bdi>{about && <span class="soft small"> <bdi>{about}</bdi></span>}</button></li>
            ))}
          </ul>
        )}
        {!parameter && <button class="main" onClick={again}>{t.retry}</button>}
      </div>
    </div>
  );
}

function Meta({ question, held }: { question: BoardQuestion; held: Held }) {
  const { result } = held;
  const other = result?.parameters.some(({ other }) => other);
  const when = result && new Date(result.made_at);
  const count = result && !("boolean" in result.rows) ? result.rows : undefined;
  return (
    <div class="chips">
      <span class="chip plain" title={question.comment ?? undefined}>
        <bdi>{other ? `${t.verified_other} (${question.by}, ${question.at})` : t.verified(question.by, question.at)}</bdi>
      </span>
      {when && <span class="chip plain"><time dateTime={result.made_at}>{boardWords().made_at(when.toLocaleString(lang, { dateStyle: "medium", timeStyle: "short" }))}</time></span>}
      {count && <span class="chip plain">{t.rows(count.row_count)}</span>}
      {count?.incomplete && <span class="chip warn" title={count.incomplete}>{t.incomplete}</span>}
    </div>
  );
}

function Tools({ question, chosen, config }: BoardCardNeeds) {
  const b = boardWords();
  const sheet = (): void => {
    const address = new URL(boards.sheet(question.name, chosen), location.href);
    // Only a key for boards can have come with the address of this page.
    const lent = key.lent();
    if (lent) address.searchParams.set("key", lent);
    void copy(address.href, config.pages.key && !lent ? b.sheet_key : b.sheet_copied);
  };
  return <button class="link" onClick={sheet}>{b.sheet}</button>;
}

export function BoardCard(needs: BoardCardNeeds) {
  const { question, own, chosen, choose, config, alone, things, told } = needs;
  const { held, more, again, current } = useResult(needs);
  const { result, error } = held;
  const text = result?.question ?? question.question;
  useEffect(() => void (alone && told(text)), [text]);
  const b = boardWords();
  const label = ({ name, verified }: BoardParameter): string =>
    (current && result?.parameters.find((one) => one.name === name)?.label) || chosen.choices[name] || verified;
  const stale = result?.stale;
  const source = {
    rows: (offset: number, limit: number) => boards.rows(question.name, chosen, offset, limit),
    file: (ending: string) => boards.file(question.name, chosen, ending === "json" ? "srj" : ending),
    view: question.view,
    things,
    name: text,
  };
  const empty = result && !("boolean" in result.rows) && result.rows.rows.length === 0;
  const Title = alone ? "h1" : "h2";
  return (
    <section class="boardcard" data-graph={question.dataset} aria-label={text} aria-busy={!current || !(result || error)}>
      <Title class="boardtitle" dir="auto" lang={question.lang ?? undefined}>{text}</Title>
      {own.length > 0 && (
        <div class="choosers">
          {own.map((one) => <Choice key={one.name} question={question.name} dataset={question.dataset} parameter={one} label={label(one)} choose={(value) => choose(one.name, value)} />)}
        </div>
      )}
      {error && <Wrong error={error} again={() => void again()} choose={choose} />}
      {stale && <p class="note warned" role="status" title={stale.detail}>{stale.code === "refreshing" ? b.refreshing : b.old}</p>}
      {result && (!error || current) && (
        <Results dataset={question.dataset} rows={result.rows} config={config} open={() => undefined} more={more} source={source} grouped={question.grouped} />
      )}
      {empty && <p class="note">{t.empty}</p>}
      {!result && !error && <span class="soft">{t.loading} …</span>}
      <div class="meta boardmeta"><Meta question={question} held={held} /><span class="grow" />{current && result && !error && <Tools {...needs} />}</div>
    </section>
  );
}
