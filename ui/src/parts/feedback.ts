// Was it right? Thumbs, and for a wrong answer a comment.
import { button, fill, h } from "../dom";
import { t } from "../i18n";
import { icon } from "../icons";
import { api, failureOf } from "../net/api";
import { failure } from "./failure";

export function feedback(run: string): HTMLElement {
  const box = h("div", { class: "feedback" });
  const send = (good: boolean, comment: string): void => {
    api.feedback(run, good, comment)
      .then(() => {
        fill(box, h("span", { role: "status", tabindex: -1 }, t.thanks));
        (box.firstElementChild as HTMLElement).focus();
      })
      .catch((error) => fill(box, failure(failureOf(error), () => fill(box, thumbs()))));
  };
  const asking = (good: boolean): void => {
    // It counts at once; a comment may follow.
    void api.feedback(run, good, "").catch(() => undefined);
    const comment = h("input", { type: "text", maxlength: 1000, placeholder: t.comment, "aria-label": t.comment });
    const form = h("form", { class: "comment", onsubmit: (event: Event) => (event.preventDefault(), send(good, comment.value.trim())) },
      comment, h("button", { class: "plain" }, t.send));
    fill(box, form);
    comment.focus();
  };
  const thumbs = (): HTMLElement[] => [
    button(icon("up"), () => send(true, ""), { class: "plain square", "aria-label": t.good, title: t.good }),
    button(icon("down"), () => asking(false), { class: "plain square", "aria-label": t.bad, title: t.bad }),
  ];
  fill(box, thumbs());
  return box;
}
