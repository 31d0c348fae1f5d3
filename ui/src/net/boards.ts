// Requests for pages of verified questions: what is on them, their results with how long these count, and what can be chosen.
import { lang } from "../i18n";
import type { BoardCandidate, BoardLink, BoardPage, BoardResult, Rows } from "../types";
import { request } from "./api";

/** What was chosen, by the names of the parameters, and the graph where several have the page. */
export interface Chosen {
  dataset?: string | null;
  choices: Record<string, string>;
}

/** A result, and for how many seconds it counts. */
export interface Result {
  result: BoardResult;
  seconds: number;
}

function query({ dataset, choices }: Chosen, more: Record<string, string> = {}): string {
  const all = new URLSearchParams({ ...choices, ...(dataset && { dataset }), ...more }).toString();
  return all && `?${all}`;
}

const path = (name: string): string => `/q/${name.split(",").map(encodeURIComponent).join(",")}`;

async function get(address: string): Promise<Response> {
  // What the browser keeps is asked for each time: who has it already gets no rows, and learns how old they are.
  return request(address, { headers: { Accept: "application/json" }, cache: "no-cache" });
}

export const boards = {
  /** The address of rows as CSV for spreadsheets. */
  sheet: (name: string, chosen: Chosen): string => `${path(name)}.csv${query(chosen, { labels: "true", spreadsheet: "true" })}`,
  async list(dataset: string): Promise<BoardLink[]> {
    return ((await (await get(`/q?dataset=${encodeURIComponent(dataset)}`)).json()) as { boards: BoardLink[] }).boards;
  },
  async page(names: string, dataset: string | null): Promise<BoardPage> {
    return (await (await get(`${path(names)}${query({ dataset, choices: {} })}`)).json()) as BoardPage;
  },
  async result(name: string, chosen: Chosen, limit: number): Promise<Result> {
    const response = await get(`${path(name)}.json${query(chosen, { lang, limit: String(limit) })}`);
    const seconds = Number(/max-age=(\d+)/.exec(response.headers.get("cache-control") ?? "")?.[1] ?? 60);
    return { result: (await response.json()) as BoardResult, seconds };
  },
  async rows(name: string, chosen: Chosen, offset: number, limit: number): Promise<Rows> {
    const response = await get(`${path(name)}.json${query(chosen, { lang, offset: String(offset), limit: String(limit) })}`);
    return ((await response.json()) as BoardResult).rows;
  },
  async candidates(name: string, parameter: string, typed: string, dataset: string, signal: AbortSignal): Promise<BoardCandidate[]> {
    const asked = query({ dataset, choices: {} }, { parameter, q: typed, lang });
    const response = await request(`${path(name)}/candidates${asked}`, { headers: { Accept: "application/json" }, signal });
    return ((await response.json()) as { candidates: BoardCandidate[] }).candidates;
  },
  async file(name: string, chosen: Chosen, ending: string): Promise<Blob> {
    return (await request(`${path(name)}.${ending}${query(chosen, { lang, labels: "true", spreadsheet: "true" })}`)).blob();
  },
};
