// The line above: which graph, which language, which colours, what was asked before.
import { button, fill, h } from "../dom";
import { LANGUAGES, lang, t } from "../i18n";
import { icon } from "../icons";
import { recall, remember } from "../keep";
import type { Config } from "../types";

const THEMES = ["auto", "light", "dark"] as const;
type Theme = (typeof THEMES)[number];

export function theme(): Theme {
  return THEMES.find((one) => one === recall("theme")) ?? "auto";
}

/** Puts the colours that were chosen on the page. */
export function paint(): void {
  document.documentElement.dataset["theme"] = theme();
}

function themeButton(): HTMLElement {
  const one = button(icon("theme"), () => {
    const next = THEMES[(THEMES.indexOf(theme()) + 1) % THEMES.length] ?? "auto";
    remember("theme", next);
    paint();
    named();
  }, { class: "plain square theme" });
  const named = (): void => {
    one.setAttribute("aria-label", t.theme[theme()]);
    one.title = t.theme[theme()];
  };
  named();
  return one;
}

export interface HeaderNeeds {
  config: Config;
  dataset: string;
  home: () => void;
  choose: (dataset: string) => void;
  history: () => void;
  graph: () => void;
  speak: (tag: string) => void;
}

export function drawHeader(header: HTMLElement, needs: HeaderNeeds): void {
  const all = needs.config.datasets ?? [];
  const graphs = h("select", { "aria-label": t.graph, class: all.length > 1 ? "graphs" : "graphs only", onchange: () => needs.choose(graphs.value) },
    all.map(({ id, name }) => h("option", { value: id, selected: id === needs.dataset }, name)));
  const languages = h("select", { "aria-label": t.language, class: "language", onchange: () => needs.speak(languages.value) },
    Object.entries(LANGUAGES).map(([tag, name]) => h("option", { value: tag, selected: tag === lang, lang: tag, title: name }, tag.toUpperCase())));
  const home = h("a", { href: `/?graph=${encodeURIComponent(needs.dataset)}`, class: "mark", "aria-label": t.home }, "eruc", h("i", null, "a"));
  home.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    needs.home();
  });
  fill(header, home, graphs, h("span", { class: "grow" }),
    button([icon("clock"), h("span", { class: "name" }, t.history)], needs.history, { class: "plain", "aria-label": t.history }),
    button([icon("graph"), h("span", { class: "name" }, t.the_graph)], needs.graph, { class: "plain", "aria-label": t.the_graph }),
    languages, themeButton());
}
