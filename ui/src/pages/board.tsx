// A page of verified questions: the address names the questions and what is chosen, and follows every choice. Nothing of the page
// for questions is drawn here; in a frame only titles, choices and results are.
import { render, type ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { LANGUAGES, lang, speak, spoken, t } from "../i18n";
import { boardWords } from "../i18n/boards";
import { key } from "../keep";
import { api, failureOf } from "../net/api";
import { boards, type Chosen } from "../net/boards";
import { BoardCard } from "../parts/boardcard";
import { Choice } from "../parts/choice";
import { copy, say } from "../parts/copy";
import { Dialog } from "../parts/dialog";
import { Failed } from "../parts/failure";
import { ThemeButton } from "../parts/header";
import { KeyForm } from "../parts/keyform";
import { whenOpened } from "../parts/thing";
import type { BoardPage, BoardParameter, Config, Failure } from "../types";
import { Card } from "../views/card";

/** Parameters of the address that are no choices. */
const OWN = ["dataset", "key", "embed", "lang"];

let config: Config | undefined;
let page: BoardPage | undefined;
let error: Failure | undefined;
let asksKey = false;
let thing: { iri: string; name: string; dataset: string } | undefined;

const address = (): URLSearchParams => new URLSearchParams(location.search);
const names = (): string => decodeURIComponent(location.pathname.slice("/q/".length));
const embedded = (): boolean => address().has("embed");

function chosen(): Chosen {
  const all = address();
  const choices = [...all].filter(([name, value]) => !OWN.includes(name) && value);
  return { dataset: all.get("dataset"), choices: Object.fromEntries(choices) };
}

/** The address follows what is chosen; nothing stands there for what was verified. */
function choose(parameter: string, value: string): void {
  const all = address();
  if (value) all.set(parameter, value);
  else all.delete(parameter);
  history.pushState(null, "", `${location.pathname}${all.size > 0 ? `?${all.toString().replace("embed=", "embed")}` : ""}`);
  draw();
}

/** The parameters that several questions have, which are set together. */
function shared({ questions }: BoardPage): { parameter: BoardParameter; question: string; dataset: string }[] {
  const all = questions.flatMap(({ name, dataset, parameters }) => parameters.map((parameter) => ({ parameter, question: name, dataset })));
  const count = (name: string): number => all.filter(({ parameter }) => parameter.name === name).length;
  return all.filter(({ parameter }, at) => count(parameter.name) > 1 && all.findIndex((one) => one.parameter.name === parameter.name) === at);
}

function Shared({ all }: { all: ReturnType<typeof shared> }) {
  const { choices } = chosen();
  if (all.length === 0) return null;
  return (
    <div class="choosers">
      {all.map(({ parameter, question, dataset }) => (
        <Choice key={parameter.name} question={question} dataset={dataset} parameter={parameter} label={choices[parameter.name] ?? parameter.verified}
          choose={(value) => choose(parameter.name, value)} />
      ))}
    </div>
  );
}

function Shown({ page, config }: { page: BoardPage; config: Config }) {
  const { questions, missing = [], title } = page;
  const [asked, told] = useState(questions[0]?.question ?? "");
  const alone = questions.length === 1 && !title;
  const together = shared(page);
  const { dataset, choices } = chosen();
  document.title = `${title ?? (alone ? asked : "")} – Eruca`.replace(/^ – /, "");
  const b = boardWords();
  return (
    <>
      {title ? <h1 class="boardtitle" dir="auto">{title}</h1> : !alone && <h1 class="unseen">{b.boards}</h1>}
      <Shared all={together} />
      {questions.map((question) => {
        const own = question.parameters.filter(({ name }) => !together.some(({ parameter }) => parameter.name === name));
        const known = Object.entries(choices).filter(([name]) => alone || question.parameters.some((one) => one.name === name));
        return (
          <BoardCard key={`${question.dataset} ${question.name}`} question={question} own={own} choose={choose} config={config} alone={alone} told={told}
            chosen={{ dataset: dataset ?? question.dataset, choices: Object.fromEntries(known) }} things={!key.lent() && !embedded()} />
        );
      })}
      {missing.length > 0 && <p class="note warned">{b.missing(missing.join(", "))}</p>}
      {!embedded() && (
        <div class="row boardtools">
          {alone && <a class="link" href={`/?graph=${encodeURIComponent(questions[0]?.dataset ?? "")}#q=${encodeURIComponent(asked)}`}>{b.as_question}</a>}
          <button class="link" onClick={() => void copy(withoutKey(), t.shared)}>{t.share}</button>
        </div>
      )}
    </>
  );
}

/** The address of the page; who gets it needs a key of their own. */
function withoutKey(): string {
  const url = new URL(location.href);
  url.searchParams.delete("key");
  return url.href;
}

function Several({ error }: { error: Failure }) {
  const [what, todo] = boardWords().errors["several_datasets"] ?? ["", ""];
  const to = (dataset: string): string => {
    const all = address();
    all.set("dataset", dataset);
    return `${location.pathname}?${all}`;
  };
  return (
    <div class="failure" role="alert">
      <div>
        <p class="what">{what}</p><p>{todo}</p>
        <ul class="candidates">{error.datasets?.map((id) => <li><a class="plain" href={to(id)}><bdi>{id}</bdi></a></li>)}</ul>
      </div>
    </div>
  );
}

function content(): ComponentChildren {
  if (asksKey) return <><h1 class="boardtitle">{t.key_title}</h1><KeyForm done={() => void begin()} /></>;
  if (error?.code === "several_datasets") return <><h1 class="unseen">Eruca</h1><Several error={error} /></>;
  if (error) {
    const words = boardWords().errors[error.code];
    const failure = <Failed error={error} words={words} retry={words ? undefined : () => void begin()} />;
    return <><h1 class="unseen">Eruca</h1>{failure}<a href="/">{t.back_to_ask}</a></>;
  }
  if (!page || !config) return <><h1 class="unseen">Eruca</h1><span class="soft">{t.loading} …</span></>;
  return <Shown key={lang} page={page} config={config} />;
}

async function speakNow(tag: string): Promise<void> {
  if (!(await speak(tag))) say(t.errors["network"]?.[0] ?? "");
  draw();
}

function Head() {
  return (
    <header>
      <a href="/" class="mark" aria-label={t.home}>eruc<i>a</i></a>
      <span class="grow" />
      <select aria-label={t.language} class="language" value={lang} onChange={(event) => void speakNow(event.currentTarget.value)}>
        {Object.entries(LANGUAGES).map(([tag, name]) => <option value={tag} lang={tag} title={name}>{tag.toUpperCase()}</option>)}
      </select>
      <ThemeButton />
    </header>
  );
}

function closeThing(): void {
  thing = undefined;
  draw();
}

function draw(): void {
  document.documentElement.lang = lang;
  document.documentElement.dataset["embed"] = embedded() ? "yes" : "no";
  const skip = (event: MouseEvent): void => (event.preventDefault(), document.querySelector("main")?.focus());
  render(
    <>
      {!embedded() && <><a class="skip" href="#answer" onClick={skip}>{t.skip}</a><Head /></>}
      <main id="answer" tabIndex={-1} class="board">{content()}</main>
      {thing && config && (
        <Dialog key={thing.iri} title={thing.name} kind="side about" closed={closeThing}>
          <Card dataset={thing.dataset} iri={thing.iri} config={config} />
        </Dialog>
      )}
    </>,
    document.body,
  );
}

async function begin(): Promise<void> {
  [error, asksKey] = [undefined, false];
  draw();
  try {
    [config] = await Promise.all([api.config(), spoken]);
    page = await boards.page(names(), address().get("dataset"));
  } catch (failed) {
    await spoken;
    const why = failureOf(failed);
    if (why.code === "unauthorized" && !key.lent()) asksKey = true;
    else error = why;
  }
  draw();
}

/** Shows a thing, which belongs to the graph of the card in which it was pressed. */
function openThing(iri: string, name: string): void {
  const card = document.activeElement?.closest<HTMLElement>(".boardcard");
  thing = { iri, name, dataset: card?.dataset["graph"] ?? page?.questions[0]?.dataset ?? "" };
  draw();
}

/** Shows the page that the address names. */
export function openBoard(): void {
  const lent = address().get("key");
  if (lent) key.lend(lent);
  whenOpened(lent || embedded() ? undefined : openThing);
  addEventListener("popstate", draw);
  // What the page shows before its parts have come is that of the page for questions.
  document.body.replaceChildren();
  void begin();
}
