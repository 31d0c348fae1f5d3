// A panel over the page: closed by Escape, by its button, or by a click beside it; the focus goes back to where it was.
import { button, h, type Child } from "../dom";
import { t } from "../i18n";
import { icon } from "../icons";

export function dialog(title: string, content: Child, kind = "side"): HTMLDialogElement {
  const box: HTMLDialogElement = h("dialog", { class: kind, "aria-label": title },
    h("div", { class: "dialoghead" }, h("h2", null, title), h("span", { class: "grow" }),
      button(icon("close"), () => box.close(), { class: "plain square", "aria-label": t.close })),
    h("div", { class: "dialogbody" }, content));
  const before = document.activeElement;
  box.addEventListener("click", (event) => event.target === box && box.close());
  box.addEventListener("close", () => {
    box.remove();
    if (before instanceof HTMLElement && before.isConnected) before.focus();
  });
  document.body.append(box);
  box.showModal();
  return box;
}
