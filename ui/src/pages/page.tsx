// All of the page: the line above, what the address names, and a panel over it.
import { lang, t } from "../i18n";
import { Dialog, type DialogNeeds } from "../parts/dialog";
import { Failed } from "../parts/failure";
import { Header } from "../parts/header";
import { GraphPage, LearnPage, TestPage } from "../parts/later";
import type { Conversation } from "../store/conversation";
import type { Config, Failure } from "../types";
import { AskPage, type AskNeeds } from "./ask";

/** What stands below the header. A failure that cannot be tried again is left by a new question. */
export type Screen = { is: "waiting" | "ask" | "about" | "learn" | "test" } | { is: "failure"; error: Failure; retry?: () => void };

export type Panel = DialogNeeds & { number: number };

export interface PageNeeds extends Omit<AskNeeds, "config"> {
  /** Absent until the service has told it. */
  config: Config | undefined;
  screen: Screen;
  panel: Panel | undefined;
  home: () => void;
  choose: (dataset: string) => void;
  about: () => void;
  past: () => void;
  speak: (tag: string) => void;
}

/** What the window is called. */
export function titleOf(screen: Screen, { state }: Conversation): string {
  if (screen.is === "learn") return `${t.learn} – Eruca`;
  if (screen.is === "about") return `${t.the_graph} – Eruca`;
  return screen.is === "ask" && state ? `${state.question || t.query} – Eruca` : "Eruca";
}

// The address is the state of the page, so that jumping to a part must not change it.
function skip(event: MouseEvent): void {
  event.preventDefault();
  (document.querySelector<HTMLElement>(".outcome") ?? document.querySelector("main"))?.focus();
}

function Content(needs: PageNeeds) {
  const { config, screen, dataset, home, open, ask } = needs;
  if (screen.is === "failure") {
    const { error, retry } = screen;
    return (
      <div>
        <h1 class="unseen">Eruca</h1><Failed error={error} retry={retry} />
        {!retry && <button class="main" onClick={home}>{t.back_to_ask}</button>}
      </div>
    );
  }
  if (!config || screen.is === "waiting") return <><h1 class="unseen">Eruca</h1><div class="ask waiting" /></>;
  if (screen.is === "ask") return <AskPage {...needs} config={config} />;
  if (screen.is === "learn") return <LearnPage key={dataset} dataset={dataset} />;
  if (screen.is === "test") return <TestPage key={dataset} dataset={dataset} config={config} open={open} />;
  return <GraphPage key={dataset} dataset={dataset} open={open} ask={(question) => (question ? ask(question, []) : home())} />;
}

export function Page(needs: PageNeeds) {
  const { config, dataset, panel, home, choose, past, about, speak } = needs;
  return (
    <>
      <a class="skip" href="#answer" onClick={skip}>{t.skip}</a>
      <header>
        {config
          ? <Header config={config} dataset={dataset} home={home} choose={choose} history={past} graph={about} speak={speak} />
          : <span class="mark">eruc<i>a</i></span>}
      </header>
      {/* In another language all is made anew. */}
      <main id="answer" tabIndex={-1}><Content key={lang} {...needs} /></main>
      {panel && <Dialog key={panel.number} {...panel} />}
    </>
  );
}
