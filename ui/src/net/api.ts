// Requests to the service. Every failure becomes a `Failure` with a code that the page has words for.
import { key } from "../keep";
import type {
  Card, Claims, Completions, Config, Correction, Decided, Entry, Failure, Hit, Place, Proposal, Rows, Run, Served, Trial, Why,
} from "../types";

/** A request that did not work. */
export class ApiError extends Error {
  constructor(readonly failure: Failure) {
    super(failure.detail);
  }
}

export function failureOf(error: unknown): Failure {
  if (error instanceof ApiError) return error.failure;
  return { code: "network", detail: error instanceof Error ? error.message : String(error) };
}

const BY_STATUS: Record<number, string> = {
  400: "invalid_parameter", 401: "unauthorized", 403: "forbidden", 404: "not_found", 422: "invalid_parameter",
  429: "rate_limited", 500: "internal", 502: "endpoint_down", 503: "overloaded", 504: "deadline",
};

async function failed(response: Response): Promise<ApiError> {
  const failure: Failure = { code: BY_STATUS[response.status] ?? "other", detail: `HTTP ${response.status}` };
  try {
    const body = (await response.json()) as Partial<Omit<Failure, "detail">> & { detail?: unknown };
    if (typeof body.code === "string") failure.code = body.code;
    if (typeof body.detail === "string") failure.detail = body.detail;
    else if (Array.isArray(body.detail)) failure.detail = body.detail.map((one: { msg?: unknown } | null) => String(one?.msg ?? "")).join("; ");
    if (Array.isArray(body.candidates)) [failure.candidates, failure.parameter] = [body.candidates, body.parameter];
    if (Array.isArray(body.datasets)) failure.datasets = body.datasets;
    if (typeof body.line === "number") failure.line = body.line;
    if (typeof body.column === "number") failure.column = body.column;
  } catch {
    // A proxy's page of HTML says less than its status.
  }
  const after = Number(response.headers.get("retry-after"));
  if (after > 0) failure.retry_after = after;
  return new ApiError(failure);
}

/** A request with the key, if there is one; throws an `ApiError` unless the answer is good. */
export async function request(path: string, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  const kept = key.get();
  if (kept) headers.set("Authorization", `Bearer ${kept}`);
  const response = await fetch(path, { ...init, headers });
  if (!response.ok) throw await failed(response);
  return response;
}

async function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  const response = await request(path, { headers: { Accept: "application/json" }, ...(signal && { signal }) });
  return (await response.json()) as T;
}

/** A POST of JSON. */
export function post(path: string, body: unknown, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set("Content-Type", "application/json");
  return request(path, { ...init, method: "POST", headers, body: JSON.stringify(body) });
}

const part = encodeURIComponent;
const dataset = (id: string): string => `/datasets/${part(id)}`;

export const api = {
  config: () => get<Config>("/config.json"),
  datasets: async () => (await get<{ datasets: Served[] }>("/datasets")).datasets,
  run: (id: string) => get<Run>(`/runs/${part(id)}`),
  rows: (id: string, offset: number, limit: number) =>
    get<Rows>(`/runs/${part(id)}/rows?offset=${offset}&limit=${limit}`),
  why: (id: string, row: number, lang?: string) => get<Why>(`/runs/${part(id)}/rows/${row}/why${lang ? `?lang=${lang}` : ""}`),
  claims: (id: string) => get<Claims>(`/runs/${part(id)}/claims`),
  card: (id: string, lang: string) => get<Card>(`${dataset(id)}/card?lang=${lang}`),
  entry: (id: string, iri: string, lang: string) => get<Entry>(`${dataset(id)}/entry?iri=${part(iri)}&lang=${lang}`),
  async search(id: string, text: string, kind: string, lang: string, signal?: AbortSignal): Promise<Hit[]> {
    const query = `q=${part(text)}&kind=${kind}&limit=7&lang=${lang}`;
    return (await get<{ hits: Hit[] }>(`${dataset(id)}/search?${query}`, signal)).hits;
  },
  /** What can stand at a place of a query that is being written; `at` counts characters, not halves of them. */
  async complete(id: string, query: string, at: number, lang: string, signal: AbortSignal): Promise<Completions> {
    const response = await post("/complete", { dataset: id, query, at, limit: 7, lang }, { signal });
    return (await response.json()) as Completions;
  },
  async places(id: string, iris: string[]): Promise<Record<string, Place>> {
    const query = iris.slice(0, 100).map((iri) => `iri=${part(iri)}`).join("&");
    return (await get<{ places: Record<string, Place> }>(`${dataset(id)}/places?${query}`)).places;
  },
  async query(id: string, query: string, lang: string, run: string | undefined): Promise<Run> {
    const response = await post("/query", { dataset: id, query, lang, ...(run && { run }) });
    return (await response.json()) as Run;
  },
  async feedback(run: string, good: boolean, comment: string, query?: string): Promise<void> {
    await post("/feedback", { run, good, ...(comment && { comment }), ...(query && { query }) });
  },
  async correct(run: string, correction: Correction): Promise<void> {
    await post("/feedback", { run, good: false, correction });
  },
  proposals: async (id: string) => (await get<{ proposals: Proposal[] }>(`${dataset(id)}/proposals`)).proposals,
  async trial(id: string, proposal: string, entry?: string): Promise<Trial> {
    return (await (await post(`${dataset(id)}/proposals/${part(proposal)}/trial`, { ...(entry !== undefined && { entry }) })).json()) as Trial;
  },
  async decide(id: string, proposal: string, accept: boolean, entry: string | undefined, force: boolean): Promise<Decided> {
    const body = { accept, ...(entry !== undefined && { entry }), ...(force && { force }) };
    return (await (await post(`${dataset(id)}/proposals/${part(proposal)}`, body)).json()) as Decided;
  },
  async file(id: string, type: string): Promise<Blob> {
    return (await request(`/runs/${part(id)}/rows?labels=true&spreadsheet=true`, { headers: { Accept: type } })).blob();
  },
};
