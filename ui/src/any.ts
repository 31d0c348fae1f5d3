// The choice of the graph that is left to the service.
import type { Served } from "./types";

/** The name by which the service is asked to choose. */
export const ANY = "auto";

/** The graphs with the choice among them, where there are several. */
export function withAny(graphs: Served[]): Served[] {
  const isTaken = graphs.some(({ id, aliases }) => id === ANY || aliases.includes(ANY));
  return graphs.length > 1 && !isTaken ? [...graphs, { id: ANY, name: "", aliases: [] }] : graphs;
}

/** Whether no graph is chosen; only that of an answer can then be looked at. */
export const isAny = (graph: Served | undefined): boolean => graph?.id === ANY && graph.name === "";
