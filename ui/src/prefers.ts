// Which of two properties is meant in a graph: what a person chose in this browser, until they choose otherwise.
import { recall, remember } from "./keep";

const MOST = 200;

function kept(name: string): string[] {
  try {
    const all: unknown = JSON.parse(recall(name) ?? "[]");
    return Array.isArray(all) ? all.filter((one) => typeof one === "string") : [];
  } catch {
    return [];
  }
}

const keep = (name: string, all: string[]): void => remember(name, JSON.stringify(all.slice(0, MOST)));

/** The properties that were chosen, by IRI. */
export const prefers = (dataset: string): string[] => kept(`prefers.${dataset}`);

/** Keeps a choice among properties; an earlier one among the same gives way. */
export const prefer = (dataset: string, chosen: string, among: string[]): void =>
  keep(`prefers.${dataset}`, [chosen, ...prefers(dataset).filter((one) => !among.includes(one))]);

/** Whether a chosen property was proposed for all readers from here. */
export const isProposed = (dataset: string, property: string): boolean => kept(`proposed.${dataset}`).includes(property);

export const noteProposed = (dataset: string, property: string): void =>
  keep(`proposed.${dataset}`, [property, ...kept(`proposed.${dataset}`)]);
