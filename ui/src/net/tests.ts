// Requests for the test set of a graph: questions made from it, what somebody says of the answers, and asking them again.
import type { AskedAgain, Compared, JudgedNow, Judgement, TestSet } from "../types";
import { post, request } from "./api";

const path = (dataset: string, rest = ""): string => `/datasets/${encodeURIComponent(dataset)}/tests${rest}`;

async function send<T>(address: string, body: unknown): Promise<T> {
  return (await (await post(address, body)).json()) as T;
}

export const tests = {
  async all(dataset: string, count: number, lang: string): Promise<TestSet> {
    const query = new URLSearchParams({ count: String(count), ...(lang && { lang }) });
    const response = await request(`${path(dataset)}?${query.toString()}`, { headers: { Accept: "application/json" } });
    return (await response.json()) as TestSet;
  },
  judge: (dataset: string, judgement: Judgement) => send<JudgedNow>(path(dataset), judgement),
  compare: (dataset: string, run: string, query: string) => send<Compared>(path(dataset, "/compare"), { run, query }),
  again: (dataset: string, test: string) => send<AskedAgain>(path(dataset, `/${encodeURIComponent(test)}/again`), {}),
};
