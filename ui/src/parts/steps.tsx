// What was done: one quiet line that grows, and behind it every step with its call and observation.
import type { ComponentChildren } from "preact";
import { showSeconds } from "../format";
import { t } from "../i18n";
import { Icon } from "../icons";
import type { RunState } from "../store/run";
import type { Run, Step } from "../types";

/** What a step was about, text by text. */
function told(step: Step): (string | null | undefined)[] {
  switch (step.kind) {
    case "grounding": return [step.observation];
    case "model": return [step.thought, ...step.calls.map((call) => `${call.name} ${call.arguments}`)];
    case "tool": return [step.arguments, step.observation];
    case "planner": return [step.readings.join("\n")];
    case "rewrite": return [step.change];
    case "controller": return [step.note];
  }
}

function StepLine({ step }: { step: Step }) {
  const kind = t.step[step.kind] ?? step.kind;
  const tool = step.kind === "tool" ? step : undefined;
  return (
    <li>
      <details>
        <summary>
          <bdi>{tool ? `${kind}${t.colon}${tool.name}` : kind}</bdi>
          {tool && tool.outcome !== "ok" && <span class="chip plain">{tool.outcome}</span>}
          <span class="soft"> {showSeconds(step.elapsed_ms)}</span>
        </summary>
        {told(step).map((text) => text && <pre dir="auto" tabIndex={0}>{text}</pre>)}
      </details>
    </li>
  );
}

function Understood({ words }: { words: Run["words"] }) {
  return (
    <span class="item">
      <Icon name="check" />{t.understood}
      {words.map(({ text, used }) => [
        " ",
        used
          ? <span class="used"><bdi>{text}</bdi></span>
          : <span class="unused" title={t.not_placed}><bdi>{text}</bdi><span class="unseen"> ({t.not_placed})</span></span>,
      ])}
    </span>
  );
}

const done = (text: string): ComponentChildren => <span class="item"><Icon name="check" />{text}</span>;

export function Steps({ state: { steps, words, run } }: { state: RunState }) {
  const models = steps.filter(({ kind }) => kind === "model").length;
  const queries = steps.filter((step) => step.kind === "tool" && /sparql|query/i.test(step.name)).length;
  const degraded = run?.trace?.degraded ?? [];
  return (
    <div class="did" hidden={steps.length === 0 && words.length === 0 && !run}>
      <div class="stepline">
        {words.length > 0 && <Understood words={words} />}
        {models > 0 && done(t.model_calls(models))}
        {queries > 0 && done(t.queries(queries))}
        {run && <span class="item">{showSeconds(run.elapsed_ms)}</span>}
      </div>
      <details class="steps" hidden={steps.length === 0}>
        <summary>{t.steps}</summary>
        <ol class="steplist">{steps.map((step) => <StepLine step={step} />)}</ol>
        <p>{degraded.length > 0 && `${t.degraded}${t.colon}${degraded.join("; ")}`}</p>
      </details>
    </div>
  );
}
