// The questions of this browser: kept here and nowhere else, searched, forgotten.
import { recall, remember } from "../keep";

const MOST = 200;

export interface Past {
  id: string;
  dataset: string;
  question: string;
  text: string;
  at: string;
}

function isPast(one: unknown): one is Past {
  const past = one as Partial<Past> | null;
  return typeof past?.id === "string" && typeof past.question === "string" && typeof past.dataset === "string";
}

export function pasts(): Past[] {
  try {
    const kept: unknown = JSON.parse(recall("history") ?? "[]");
    return Array.isArray(kept) ? kept.filter(isPast) : [];
  } catch {
    return [];
  }
}

/** Keeps these and no others. */
export const keep = (all: Past[]): void => remember("history", JSON.stringify(all.slice(0, MOST)));

/** Notes a question; the same question of the same graph stands once, at its last time. */
export function note(past: Past): void {
  const others = pasts().filter(({ id, question, dataset }) => id !== past.id && (question !== past.question || dataset !== past.dataset));
  keep([{ ...past, text: past.text.slice(0, 300) }, ...others]);
}

/** The past questions that hold every word of a text. */
export function found(all: Past[], text: string): Past[] {
  const words = text.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  return all.filter((past) => words.every((word) => `${past.question} ${past.text}`.toLocaleLowerCase().includes(word)));
}
