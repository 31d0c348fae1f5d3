// Every failure in words: what happened and what to do. What the service itself says stands below, small.
import { bdi, button, h } from "../dom";
import { t } from "../i18n";
import { icon } from "../icons";
import type { Failure } from "../types";

export function failure(error: Failure, retry?: () => void): HTMLElement {
  const [what, todo] = t.errors[error.code] ?? t.errors["other"] ?? ["", ""];
  return h("div", { class: "failure", role: "alert" }, icon("warn"),
    h("div", null,
      h("p", { class: "what" }, what), h("p", null, todo),
      error.detail ? h("p", { class: "soft detail" }, bdi(error.detail)) : null,
      retry ? button(t.retry, retry, { class: "main" }) : null));
}
