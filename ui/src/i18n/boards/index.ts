// The words of pages of verified questions, in every language of the page; they come with what shows these pages.
import { lang } from "..";
import { words as de } from "./de";
import { words as en } from "./en";
import { words as es } from "./es";
import { words as fr } from "./fr";
import { words as it } from "./it";
import { words as nl } from "./nl";
import { words as pt } from "./pt";

export type BoardWords = typeof en;

export const all: Record<string, BoardWords> = { de, en, es, fr, it, nl, pt };

/** The words in the language that the page speaks now. */
export const boardWords = (): BoardWords => all[lang] ?? en;
