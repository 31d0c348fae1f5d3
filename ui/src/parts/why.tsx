// Why a row is an answer: the parts of the query with the row's values put in, each in its own form.
import type { ComponentChildren } from "preact";
import { t, wished } from "../i18n";
import { api } from "../net/api";
import type { Term, WhyPart } from "../types";
import { Failed } from "./failure";
import { useLoaded } from "./loaded";
import { Value } from "./thing";

type Members = Extract<WhyPart, { kind: "members" }>;

export const triple = ([subject, predicate, object]: Term[]): ComponentChildren => (
  <><Value term={subject} /> <span class="soft"><Value term={predicate} /></span> <Value term={object} /></>
);

const badge = (text: string): ComponentChildren => <> <span class="chip plain">{text}</span></>;

function members({ members, shown, total, of, value, function: name }: Members): ComponentChildren {
  const all = total ?? members.length;
  return (
    <>
      <span>{t.function[name] ?? name} <bdi>{of}</bdi>{value && <>{t.colon}<b><Value term={value} /></b></>}</span>
      {members.length > 0 && (
        <details>
          <summary>{shown < all ? t.shown_of(shown, all) : t.rows(all)}</summary>
          <ol>{members.map((row) => <li>{row.map((term, n) => [n > 0 && " · ", <Value term={term} />])}</li>)}</ol>
        </details>
      )}
    </>
  );
}

function told(part: WhyPart): ComponentChildren {
  switch (part.kind) {
    case "triple":
      return <>{triple([part.subject, part.predicate, part.object])}{part.optional && badge("OPTIONAL")}</>;
    case "path":
      return (
        <>
          <Value term={part.subject} /> <span class="soft"><bdi>{part.path}</bdi></span> <Value term={part.object} />
          {part.triples.length > 0 && <ul>{part.triples.map((one) => <li>{triple(one)}</li>)}</ul>}
        </>
      );
    case "condition":
      return <><bdi>{part.words}</bdi>{badge(part.holds ? t.holds : t.fails)}</>;
    case "absent":
      return <><bdi>{part.words}</bdi>{part.pattern && <code class="pattern"><bdi>{part.pattern}</bdi></code>}</>;
    case "members":
      return members(part);
    case "rank":
      return <><bdi>{part.words}</bdi>{part.place && badge(t.place(part.place))}</>;
    default:
      return <bdi>{part.words}</bdi>;
  }
}

/** The why of a row, from the service. */
export function Why({ run, row }: { run: string; row: number }) {
  const { value: why, error, again } = useLoaded(() => api.why(run, row, wished), [run, row]);
  if (error) return <Failed error={error} retry={again} />;
  if (!why) return <span class="soft">{t.loading} …</span>;
  return (
    <>
      {why.text && <p class="whytext" dir="auto">{why.text}</p>}
      {why.parts.length > 0 && <ul class="proofs">{why.parts.map((part) => <li class={`p-${part.kind}`}>{told(part)}</li>)}</ul>}
      {why.notes.map((note) => <p class="soft" dir="auto">{note}</p>)}
    </>
  );
}
