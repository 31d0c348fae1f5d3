// What was done: one quiet line that grows, and behind it every step with its call and observation.
import { bdi, fill, h, type Child } from "../dom";
import { showSeconds } from "../format";
import { t } from "../i18n";
import { icon } from "../icons";
import type { RunState } from "../store/run";
import type { Step } from "../types";

const block = (text: string | null | undefined): Child => (text ? h("pre", { dir: "auto", tabindex: 0 }, text) : null);

function told(step: Step): Child {
  return [
    block(step.thought), (step.calls ?? []).map((call) => block(`${call.name} ${call.arguments}`)),
    block(step.arguments), block(step.observation), block(step.readings?.join("\n")), block(step.change), block(step.note),
  ];
}

function stepLine(step: Step): HTMLElement {
  const name = step.kind === "tool" ? `${t.step["tool"]}${t.colon}${step.name ?? ""}` : (t.step[step.kind] ?? step.kind);
  return h("li", null, h("details", null,
    h("summary", null, bdi(name), step.outcome && step.outcome !== "ok" ? h("span", { class: "chip plain" }, step.outcome) : null,
      h("span", { class: "soft" }, ` ${showSeconds(step.elapsed_ms)}`)),
    told(step)));
}

function understood(state: RunState): Child {
  if (state.words.length === 0) return null;
  const words = state.words.map(({ text, used }) =>
    h("span", { class: used ? "used" : "unused", title: used ? null : t.not_placed }, bdi(text), used ? null : h("span", { class: "unseen" }, ` (${t.not_placed})`)));
  return h("span", { class: "item" }, icon("check"), `${t.understood} `, words.map((word, n) => [n > 0 ? " " : null, word]));
}

function counts(state: RunState): Child {
  const queries = state.steps.filter(({ kind, name }) => kind === "tool" && /sparql|query/i.test(name ?? "")).length;
  const models = state.steps.filter(({ kind }) => kind === "model").length;
  return [
    models > 0 ? h("span", { class: "item" }, icon("check"), t.model_calls(models)) : null,
    queries > 0 ? h("span", { class: "item" }, icon("check"), t.queries(queries)) : null,
    state.run?.elapsed_ms !== undefined ? h("span", { class: "item" }, showSeconds(state.run.elapsed_ms)) : null,
  ];
}

/** The line of steps. It keeps what was unfolded while it grows. */
export function stepsLine(): { element: HTMLElement; show: (state: RunState) => void } {
  const line = h("div", { class: "stepline" });
  const list = h("ol", { class: "steplist" });
  const trouble = h("p");
  const all = h("details", { class: "steps" }, h("summary", null, t.steps), list, trouble);
  const element = h("div", { class: "did" }, line, all);
  let drawn: Step[] = [];
  return {
    element,
    show(state) {
      fill(line, understood(state), counts(state));
      if (!drawn.every((step, n) => state.steps[n] === step)) {
        list.replaceChildren();
        drawn = [];
      }
      list.append(...state.steps.slice(drawn.length).map(stepLine));
      drawn = state.steps;
      const degraded = state.run?.trace?.degraded ?? [];
      trouble.textContent = degraded.length > 0 ? `${t.degraded}${t.colon}${degraded.join("; ")}` : "";
      all.hidden = drawn.length === 0;
      element.hidden = drawn.length === 0 && !line.hasChildNodes();
    },
  };
}
