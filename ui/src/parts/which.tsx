// Which of several properties is meant that may be meant alike: asked where the answer is not sure; once it has been chosen in this
// browser, said in a line, where another one can be chosen, and this one proposed to the owner of the graph for all readers.
import { useState } from "preact/hooks";
import { t } from "../i18n";
import { api, failureOf } from "../net/api";
import { isProposed, noteProposed, prefers } from "../prefers";
import type { Chosen, Failure, Run } from "../types";
import { Failed } from "./failure";

export interface WhichNeeds {
  run: Run;
  /** That of the answer stands first. */
  all: Chosen[];
  /** Whether corrections become proposals. */
  proposals: boolean;
  /** Asks the same again with one of these properties. */
  choose: (property: string, among: string[]) => void;
}

function Buttons({ all, choose }: Pick<WhichNeeds, "all" | "choose">) {
  return (
    <>
      {all.map(({ iri, name }, n) => (
        <button class="example" aria-pressed={n === 0} onClick={() => choose(iri, all.map((one) => one.iri))}><bdi>{name}</bdi></button>
      ))}
    </>
  );
}

function ForAll({ run, all }: Pick<WhichNeeds, "run" | "all">) {
  const [taken, ...others] = all.map(({ iri }) => iri);
  const [now, set] = useState<"ask" | "thanks" | Failure>("ask");
  if (!taken) return null;
  const meaning = { kind: "prefer" as const, iri: taken, over: others };
  const propose = (): void =>
    void api.correct(run.id, { words: "", meaning }).then(() => (noteProposed(run.dataset, taken), set("thanks")), (error) => set(failureOf(error)));
  if (now === "thanks") return <span role="status" tabIndex={-1} ref={(element) => element?.focus()}>{t.proposed}</span>;
  if (now !== "ask") return <Failed error={now} retry={() => set("ask")} />;
  if (isProposed(run.dataset, taken)) return <span>{t.proposed_for_all}</span>;
  return <button class="link" onClick={propose}>{t.for_all}</button>;
}

export function Which({ run, all, proposals, choose }: WhichNeeds) {
  const [open, setOpen] = useState(false);
  const taken = all[0];
  if (!taken) return null;
  if (!prefers(run.dataset).includes(taken.iri)) {
    return (
      <div class="choice" role="group" aria-label={t.which_meant}>
        <span class="soft">{t.which_meant}</span>
        <Buttons all={all} choose={choose} />
      </div>
    );
  }
  return (
    <div class="chosen soft">
      <span><bdi>{t.you_chose(taken.name)}</bdi></span>
      <button class="link" aria-expanded={open} onClick={() => setOpen(!open)}>{t.choose_other}</button>
      {proposals && <ForAll run={run} all={all} />}
      {open && <div class="choice" role="group" aria-label={t.which_meant}><Buttons all={all} choose={choose} /></div>}
    </div>
  );
}
