// "Did you mean …?": names of the question that are only written like those of the graph.
import { t } from "../i18n";
import type { Run } from "../types";

const MOST = 3;

/** A name as the graph writes it, and the question with it. */
export interface Correction {
  name: string;
  question: string;
}

const plain = (text: string): string => text.normalize("NFKD").replace(/\p{M}/gu, "").toLocaleLowerCase();

/** A text with other words in the place of these, where it has them as words of their own. */
function replaced(text: string, words: string, name: string): string | undefined {
  const literal = words.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
  const found = new RegExp(`(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])`, "v").exec(text);
  return found ? text.slice(0, found.index) + name + text.slice(found.index + words.length) : undefined;
}

/** The names that may be meant, unless the answer is sure. */
export function corrections(run: Run): Correction[] {
  if (!run.confidence || run.confidence.name === "sure") return [];
  const { similar = [], because } = run;
  // A part of a name that may be meant as a whole means nothing by itself.
  const typos = because.filter(({ words, right }) => right === "typo" && !similar.some((whole) => whole.words.includes(words)));
  const all = [...similar, ...typos].flatMap(({ words, name }) => {
    if (!name || plain(words) === plain(name)) return [];
    const question = replaced(run.question, words, name) ?? replaced(run.asked ?? "", words, name);
    return question ? [{ name, question }] : [];
  });
  return all.filter(({ question }, n) => all.findIndex((other) => other.question === question) === n).slice(0, MOST);
}

export function Meant({ run, ask }: { run: Run; ask: (question: string) => void }) {
  const all = corrections(run);
  return all.length === 0 ? null : (
    <div class="choice meant">
      {all.map(({ name, question }) => <button class="example" onClick={() => ask(question)}><bdi>{t.meant_name(name)}</bdi></button>)}
    </div>
  );
}
