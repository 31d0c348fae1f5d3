// The words of the page on which the owner of a graph judges answers, in every language of the page; they come with that page.
import { lang } from "..";
import { words as de } from "./de";
import { words as en } from "./en";
import { words as es } from "./es";
import { words as fr } from "./fr";
import { words as it } from "./it";
import { words as nl } from "./nl";
import { words as pt } from "./pt";

export type TestWords = typeof en;

export const all: Record<string, TestWords> = { de, en, es, fr, it, nl, pt };

/** The words in the language that the page speaks now. */
export const testWords = (): TestWords => all[lang] ?? en;
