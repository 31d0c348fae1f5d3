// A choice among properties, proposed to the owner of the graph for all readers.
import { useState } from "preact/hooks";
import { t } from "../i18n";
import { api, failureOf } from "../net/api";
import type { Failure } from "../types";
import { Failed } from "./failure";

export function ForAll({ run, property, among }: { run: string; property: string; among: string[] }) {
  const [now, set] = useState<"ask" | "thanks" | Failure>("ask");
  const meaning = { kind: "prefer" as const, iri: property, over: among.filter((iri) => iri !== property) };
  const propose = (): void => void api.correct(run, { words: "", meaning }).then(() => set("thanks"), (error) => set(failureOf(error)));
  if (now === "thanks") return <span role="status" tabIndex={-1} ref={(element) => element?.focus()}>{t.proposed}</span>;
  if (now !== "ask") return <Failed error={now} retry={() => set("ask")} />;
  return <button class="link" onClick={propose}>{t.for_all}</button>;
}
