// Which of two properties is meant in a graph: what a person chose in this browser, until they choose otherwise.
import { recall, remember } from "./keep";

const MOST = 200;

/** The properties that were chosen, by IRI. */
export function prefers(dataset: string): string[] {
  try {
    const kept: unknown = JSON.parse(recall(`prefers.${dataset}`) ?? "[]");
    return Array.isArray(kept) ? kept.filter((one) => typeof one === "string") : [];
  } catch {
    return [];
  }
}

/** Keeps a choice among properties; an earlier one among the same gives way. */
export function prefer(dataset: string, chosen: string, among: string[]): void {
  const others = prefers(dataset).filter((one) => !among.includes(one));
  remember(`prefers.${dataset}`, JSON.stringify([chosen, ...others].slice(0, MOST)));
}
