// The words of a question that may have been misread: what the answer read them as, or that it did not use them.
import type { Run } from "../types";

const MOST = 24;
/** So many words make a phrase that is offered. */
const LONGEST = 3;

export interface Phrase {
  words: string;
  /** What they were read as. */
  name?: string;
  /** Whether nothing in the query stands for them. */
  unused?: boolean;
}

const plain = (text: string): string => text.toLocaleLowerCase();

function segments(text: string): string[] {
  return [...new Intl.Segmenter(undefined, { granularity: "word" }).segment(text)].flatMap(({ segment, isWordLike }) => (isWordLike ? [segment] : []));
}

/** Neighbouring words that are alike in having no meaning, as phrases. */
function joined(words: { text: string; free: boolean }[]): string[] {
  const found: string[] = [];
  for (let from = 0; from < words.length; from++) {
    for (let to = from + 2; to <= Math.min(from + LONGEST, words.length); to++) {
      const all = words.slice(from, to);
      if (all.every(({ free }) => free)) found.push(all.map(({ text }) => text).join(" "));
    }
  }
  return found;
}

/** First what has no meaning, then what was read as something, then the other words. */
export function phrases(run: Pick<Run, "question" | "words" | "because" | "unused">): Phrase[] {
  const words = run.words.length > 0 ? run.words.map(({ text }) => text) : segments(run.question);
  const read = run.because.map(({ words, name }): Phrase => ({ words, ...(name && { name }) }));
  const taken = new Set(read.flatMap(({ words }) => segments(words).map(plain)));
  // A word that stands in the question twice may be understood once.
  const unused = new Set(run.unused.map(plain).filter((word) => !taken.has(word)));
  const open = words.filter((word) => unused.has(plain(word)));
  const phrasesOf = joined(words.map((text) => ({ text, free: unused.has(plain(text)) })));
  const rest = words.filter((word) => !taken.has(plain(word)) && !unused.has(plain(word)));
  const all: Phrase[] = [
    ...[...open, ...phrasesOf].map((words) => ({ words, unused: true })), ...read, ...rest.map((words) => ({ words })),
  ];
  const first = (one: Phrase, n: number): boolean => all.findIndex(({ words }) => plain(words) === plain(one.words)) === n;
  return all.filter(({ words }, n) => words.trim() !== "" && first(all[n] as Phrase, n)).slice(0, MOST);
}
