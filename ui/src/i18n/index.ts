// Which language the page speaks: what the person chose, else what the browser asks for, else English.
import { recall, remember } from "../keep";
import { de } from "./de";
import { en, type Strings } from "./en";

export const LANGUAGES: Record<string, Strings> = { en, de };

function chosen(): string {
  const wishes = [recall("language"), ...(globalThis.navigator?.languages ?? [])];
  for (const wish of wishes) {
    const tag = wish?.slice(0, 2).toLowerCase();
    if (tag && tag in LANGUAGES) return tag;
  }
  return "en";
}

export let lang = chosen();
/** The language that the person chose, in which answers are told too; without one they have that of the question. */
export let wished: string | undefined = recall("language") === lang ? lang : undefined;
export let t: Strings = LANGUAGES[lang] ?? en;

/** Speaks another language from now on. */
export function speak(tag: string): void {
  lang = tag in LANGUAGES ? tag : "en";
  t = LANGUAGES[lang] ?? en;
  wished = lang;
  remember("language", lang);
}
