// What a component asks of the service: under way, there, or failed. What is not wanted any more is forgotten.
import { useEffect, useState } from "preact/hooks";
import { failureOf } from "../net/api";
import type { Failure } from "../types";

export interface Loaded<T> {
  value?: T;
  error?: Failure;
  /** Asks once more. */
  again: () => void;
}

/** What this gives; asked for anew when one of `of` has changed. */
export function useLoaded<T>(load: () => Promise<T>, of: unknown[]): Loaded<T> {
  const [got, set] = useState<{ value?: T; error?: Failure }>({});
  const [tries, setTries] = useState(0);
  useEffect(() => {
    let wanted = true;
    load().then((value) => wanted && set({ value }), (error) => wanted && set({ error: failureOf(error) }));
    return () => void (wanted = false);
  }, [...of, tries]);
  return { ...got, again: () => (set({}), setTries(tries + 1)) };
}
