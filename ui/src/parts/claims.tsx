// What supports each sentence of the answer, looked up when it is wanted.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { t } from "../i18n";
import { api } from "../net/api";
import type { Claim } from "../types";
import { Failed } from "./failure";
import { useLoaded } from "./loaded";
import { triple } from "./why";

/** What was found for a sentence, in a word or two. */
function found({ support, supported, counted }: Claim): ComponentChildren {
  if (support === "late") return t.claim_late;
  if (support === "absence") return t.claim_absence;
  if (support === "computed") return t.doubt.computed;
  if (supported === false) return t.claim_unsupported;
  return counted != null ? t.claim_counted(counted) : undefined;
}

function Supported(claim: Claim) {
  const { text, triples = [], more = 0, supported } = claim;
  const told = found(claim);
  return (
    <li>
      <bdi>{text}</bdi>
      {told && <> <span class={`chip ${supported === false ? "warn" : "plain"}`}>{told}</span></>}
      {triples.length > 0 && <ul>{triples.map((one) => <li>{triple(one)}</li>)}</ul>}
      {more > 0 && <span class="soft">{t.and_more(more)}</span>}
    </li>
  );
}

function Loaded({ run }: { run: string }) {
  const { value, error, again } = useLoaded(() => api.claims(run), [run]);
  if (error) return <Failed error={error} retry={again} />;
  if (!value) return <span class="soft">{t.loading} …</span>;
  const claims = value.claims.filter(({ support }) => support !== "remark");
  return claims.length > 0 ? <ul class="proofs">{claims.map((claim) => <Supported {...claim} />)}</ul> : <p class="soft">{t.claim_nothing}</p>;
}

/** The sentences of a run's answer, each with its triples. */
export function Claims({ run }: { run: string }) {
  const [wanted, setWanted] = useState(false);
  return (
    <details class="claims" onToggle={(event) => event.currentTarget.open && setWanted(true)}>
      <summary>{t.claims}</summary>
      {wanted && <Loaded run={run} />}
    </details>
  );
}
