// A value in the page: names of things open their card, addresses lead to where they live, literals are text.
import { bdi, button, h, safeAddress } from "../dom";
import { nameOf, showLiteral } from "../format";
import { t } from "../i18n";
import { icon } from "../icons";
import type { Term } from "../types";

type Opener = (iri: string, name: string) => void;
let open: Opener = () => undefined;

/** Says what happens when somebody wants to see a thing. */
export function whenOpened(opener: Opener): void {
  open = opener;
}

/** A thing by its name; a click shows its card. */
export function thing(iri: string, name: string, href?: string): HTMLElement {
  const label = bdi(name);
  if (!safeAddress(href)) return button(label, () => open(iri, name), { class: "thing" });
  const onclick = (event: MouseEvent): void => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    open(iri, name);
  };
  return h("a", { class: "thing", href, rel: "noreferrer", onclick }, label);
}

/** A link to a page elsewhere, marked as such. */
export function outward(text: string, href: string, props: Record<string, string> = {}): HTMLElement {
  return h("a", { href, rel: "noreferrer noopener", target: "_blank", class: "outward", ...props },
    bdi(text), icon("out"), h("span", { class: "unseen" }, ` (${t.opens})`));
}

/** Any value. */
export function value(term: Term | null | undefined, kind?: string): HTMLElement {
  if (!term) return h("span", { class: "none", "aria-label": t.not_there }, "–");
  if (term.type === "uri") {
    if (kind === "link" || kind === "picture") {
      const home = safeAddress(term.href);
      return home ? outward(term.label ?? term.value, home) : bdi(term.label ?? term.value);
    }
    return thing(term.value, nameOf(term), term.href);
  }
  if (term.type === "bnode") return bdi(nameOf(term), { class: "soft" });
  return bdi(term.label ?? showLiteral(term, kind), term.lang ? { lang: term.lang, dir: "auto" } : { dir: "auto" });
}
