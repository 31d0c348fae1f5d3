// Which language the page speaks: what the person chose, else what the browser asks for, else English. Only English comes
// with the page; the words of every other language are a file of their own, loaded when they are needed.
import { recall, remember } from "../keep";
import { loadWords } from "../parts/load";
import { en, type Strings } from "./en";

/** The languages by their tags, each as it calls itself. */
export const LANGUAGES: Record<string, string> = {
  de: "Deutsch", en: "English", es: "Español", fr: "Français", it: "Italiano", nl: "Nederlands", pt: "Português",
};

const known = (tag: string | null): tag is string => tag !== null && Object.hasOwn(LANGUAGES, tag);

function chosen(): string {
  const wishes = [recall("language"), ...(globalThis.navigator?.languages ?? [])];
  return wishes.map((wish) => wish?.slice(0, 2).toLowerCase() ?? null).find(known) ?? "en";
}

export let lang = "en";
export let t = en as Strings;
/** The language that the person chose, in which answers are told too; without one they have that of the question. */
export let wished: string | undefined = known(recall("language")) ? chosen() : undefined;

let turning = "";

/** Speaks a language; false where its words do not come: then the page speaks on as it did, English at first. */
async function turn(tag: string): Promise<boolean> {
  turning = tag;
  try {
    const words = tag === "en" ? (en as Strings) : (await loadWords(tag)).words;
    // The last of several choices counts.
    if (turning === tag) [lang, t] = [tag, words];
    return true;
  } catch {
    return false;
  }
}

/** Begins at once, so that the words come beside what else the page needs, and nothing is drawn in English before. */
export const spoken: Promise<boolean> = turn(chosen());

/** Speaks another language from now on. */
export async function speak(tag: string): Promise<boolean> {
  const turned = await turn(tag);
  if (turned && lang === tag) {
    wished = tag;
    remember("language", tag);
  }
  return turned;
}
