// What words mean in a graph to whoever reads it in this browser, until they forget it: sent with every question.
import { recall, remember } from "./keep";

const MOST = 20;

/** Words with the term that they mean. */
export interface Mine {
  words: string;
  kind: string;
  /** Of a value, that of its property. */
  iri: string;
  name: string;
  /** The text of a value. */
  value?: string | undefined;
}

const is = (one: unknown): one is Mine =>
  typeof one === "object" && one !== null && (["words", "kind", "iri", "name"] as const).every((key) => typeof (one as Mine)[key] === "string");

const same = (one: string, other: string): boolean => one.toLocaleLowerCase() === other.toLocaleLowerCase();

export function meanings(dataset: string): Mine[] {
  try {
    const kept: unknown = JSON.parse(recall(`meanings.${dataset}`) ?? "[]");
    return Array.isArray(kept) ? kept.filter(is) : [];
  } catch {
    return [];
  }
}

const write = (dataset: string, all: Mine[]): void => remember(`meanings.${dataset}`, JSON.stringify(all.slice(0, MOST)));

/** The meanings with another one, which counts for its words. */
export const withOne = (all: Mine[], one: Mine): Mine[] => [one, ...all.filter(({ words }) => !same(words, one.words))];

export const keepMeaning = (dataset: string, one: Mine): void => write(dataset, withOne(meanings(dataset), one));

export const forgetMeaning = (dataset: string, words: string): void =>
  write(dataset, meanings(dataset).filter((one) => !same(one.words, words)));

/** As it is sent. */
export const sent = ({ words, kind, iri, value }: Mine) => ({
  words, meaning: { kind: kind as "class" | "property" | "thing" | "value", iri, ...(value !== undefined && { value }) },
});
