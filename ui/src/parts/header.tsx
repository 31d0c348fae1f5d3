// The line above: which graph, which language, which colours, what was asked before.
import { useState } from "preact/hooks";
import { isAny } from "../any";
import { LANGUAGES, lang, t } from "../i18n";
import { Icon } from "../icons";
import { recall, remember } from "../keep";
import type { Config } from "../types";
import { isPlain } from "./thing";

const THEMES = ["auto", "light", "dark"] as const;
type Theme = (typeof THEMES)[number];

const chosenTheme = (): Theme => THEMES.find((one) => one === recall("theme")) ?? "auto";

/** Puts the colours that were chosen on the page. */
export function paint(theme = chosenTheme()): void {
  document.documentElement.dataset["theme"] = theme;
}

export function ThemeButton() {
  const [theme, set] = useState(chosenTheme);
  const turn = (): void => {
    const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? "auto";
    remember("theme", next);
    paint(next);
    set(next);
  };
  const name = t.theme[theme];
  return <button class="plain square theme" aria-label={name} title={name} onClick={turn}><Icon name="theme" /></button>;
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

export function Header({ config, dataset, home, choose, history, graph, speak }: HeaderNeeds) {
  const all = config.datasets ?? [];
  const onHome = (event: MouseEvent): void => {
    if (!isPlain(event)) return;
    event.preventDefault();
    home();
  };
  return (
    <>
      <a href={`/?graph=${encodeURIComponent(dataset)}`} class="mark" aria-label={t.home} onClick={onHome}>eruc<i>a</i></a>
      <select aria-label={t.graph} class={all.length > 1 ? "graphs" : "graphs only"} value={dataset}
        onChange={(event) => choose(event.currentTarget.value)}>
        {all.map((graph) => <option value={graph.id}>{isAny(graph) ? t.any_graph : graph.name}</option>)}
      </select>
      <span class="grow" />
      <button class="plain" aria-label={t.history} onClick={history}><Icon name="clock" /><span class="name">{t.history}</span></button>
      {!isAny(all.find(({ id }) => id === dataset)) && (
        <button class="plain" aria-label={t.the_graph} onClick={graph}><Icon name="graph" /><span class="name">{t.the_graph}</span></button>
      )}
      <select aria-label={t.language} class="language" value={lang} onChange={(event) => speak(event.currentTarget.value)}>
        {Object.entries(LANGUAGES).map(([tag, name]) => <option value={tag} lang={tag} title={name}>{tag.toUpperCase()}</option>)}
      </select>
      <ThemeButton />
    </>
  );
}
