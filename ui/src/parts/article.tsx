// An answer as an article: headings, lines with the numbers of their sources, pictures, and the sources, folded.
import { createContext, type ComponentChildren } from "preact";
import { useContext, useId, useRef, useState } from "preact/hooks";
import { t } from "../i18n";
import type { Article, Config } from "../types";
import { Citations } from "./citations";
import { Outward, Thing } from "./thing";
import { triple } from "./why";

type Line = Article["lead"][number];
type Section = Article["sections"][number];
type ThingOf = Article["things"][number];
type Source = Article["sources"][number];
type Picture = NonNullable<ThingOf["pictures"]>[number];

/** Shows a source, by its number, and remembers who asked. */
const Show = createContext<(number: number, from: HTMLElement) => void>(() => undefined);

function Numbers({ sources, more_sources = 0 }: Pick<Line, "sources" | "more_sources">) {
  const show = useContext(Show);
  return (
    <>
      {sources.map((number) => (
        <sup><button class="cite" aria-label={t.source_number(number)} onClick={(event) => show(number, event.currentTarget)}>{number}</button></sup>
      ))}
      {more_sources > 0 && <sup class="soft" title={t.and_more(more_sources)}> +{more_sources}</sup>}
    </>
  );
}

function Told({ parts, ...numbers }: Line) {
  const part = (one: Line["parts"][number]): ComponentChildren =>
    one.iri ? <Thing iri={one.iri} name={one.text} href={one.href} /> : one.text;
  return <><span dir="auto">{parts.map(part)}</span><Numbers {...numbers} /></>;
}

function Lines({ heading, lines, more = 0, level }: Section & { level: 3 | 4 }) {
  const Heading = `h${level}` as const;
  return (
    <section>
      <Heading><bdi>{heading}</bdi></Heading>
      <ul>
        {lines.map((line) => <li><Told {...line} /></li>)}
        {more > 0 && <li class="soft">{t.and_more(more)}</li>}
      </ul>
    </section>
  );
}

/** A picture with its title; one that does not come leaves no gap. */
function Pictured({ title, address, source }: Picture) {
  const [gone, setGone] = useState(false);
  if (gone) return null;
  return (
    <figure>
      <img class="portrait" alt={t.picture_of(title)} loading="lazy" referrerpolicy="no-referrer" src={address} onError={() => setGone(true)} />
      <figcaption class="soft"><bdi>{title}</bdi><Numbers sources={[source]} /></figcaption>
    </figure>
  );
}

function About({ thing, alone, config }: { thing: ThingOf; alone: boolean; config: Config }) {
  const { iri, name, href, pictures = [], more_pictures = 0, sections, more = 0, cut, improve } = thing;
  return (
    <section class="about">
      {!alone && <h3 class="entryname"><Thing iri={iri} name={name} href={href} /></h3>}
      {config.pages.pictures && pictures.map((picture) => <Pictured {...picture} />)}
      {config.pages.pictures && more_pictures > 0 && <p class="soft small">{t.and_more(more_pictures)}</p>}
      {sections.map((section) => <Lines {...section} level={alone ? 3 : 4} />)}
      {more > 0 && <p class="soft">{t.and_more(more)}</p>}
      {cut && <p class="soft">{t.article_cut}</p>}
      {improve && <p class="small"><Outward text={t.improve} href={improve} /></p>}
    </section>
  );
}

function grounds(source: Source): ComponentChildren {
  switch (source.kind) {
    case "triple":
      return triple([source.subject, source.property, source.value]);
    case "passage":
      return <Citations citations={[source.passage]} bare />;
    case "query":
      return <>{t.query}{t.colon}<code class="pattern"><bdi>{source.query}</bdi></code></>;
  }
}

export function ArticleCard({ article, config }: { article: Article; config: Config }) {
  const { title, lang, lead, things, more_things = 0, sections, sources } = article;
  const id = useId();
  const fold = useRef<HTMLDetailsElement>(null);
  const [asked, setAsked] = useState<{ number: number; from: HTMLElement }>();
  const show = (number: number, from: HTMLElement): void => {
    setAsked({ number, from });
    if (fold.current) fold.current.open = true;
    const source = document.getElementById(`${id}-${number}`);
    source?.focus({ preventScroll: true });
    source?.scrollIntoView({ block: "center" });
  };
  return (
    <Show.Provider value={show}>
      <article class="card article" lang={lang}>
        <h2><bdi>{title}</bdi></h2>
        <p>{lead.map((line) => <><Told {...line} /> </>)}</p>
        {things.map((thing) => <About thing={thing} alone={thing.name === title} config={config} />)}
        {more_things > 0 && things.length > 0 && <p class="soft">{t.and_more(more_things)}</p>}
        {sections.map((section) => <Lines {...section} level={3} />)}
        {sources.length > 0 && (
          <details ref={fold}>
            <summary>{t.sources(sources.length)}</summary>
            <ol class="sources">
              {sources.map((source, n) => (
                <li id={`${id}-${n + 1}`} tabIndex={-1}>
                  {grounds(source)}
                  {asked?.number === n + 1 && <button class="link" onClick={() => asked.from.focus()}>{t.back_to_line}</button>}
                </li>
              ))}
            </ol>
          </details>
        )}
      </article>
    </Show.Provider>
  );
}
