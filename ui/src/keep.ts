// What this browser keeps: small texts by name. A browser that keeps nothing (private windows, full store) is no error.

const PREFIX = "eruca.";

export function recall(name: string): string | null {
  try {
    return globalThis.localStorage?.getItem(PREFIX + name) ?? null;
  } catch {
    return null;
  }
}

export function remember(name: string, value: string): void {
  try {
    globalThis.localStorage?.setItem(PREFIX + name, value);
  } catch {
    // It is asked again next time.
  }
}

/** Whether answers are wanted as articles. */
export const articles = {
  wanted: (): boolean => recall("article") === "yes",
  want: (wanted: boolean): void => remember("article", wanted ? "yes" : "no"),
};

let lent: string | undefined;

/** The key of the service, for this tab only. */
export const key = {
  /** A key that came with the address, for as long as the page is open. */
  lend: (value: string): void => void (lent = value),
  lent: (): string | undefined => lent,
  get(): string | null {
    if (lent) return lent;
    try {
      return sessionStorage.getItem(`${PREFIX}key`);
    } catch {
      return null;
    }
  },
  set(value: string): void {
    try {
      sessionStorage.setItem(`${PREFIX}key`, value);
    } catch {
      // It is asked again at the next request.
    }
  },
};
