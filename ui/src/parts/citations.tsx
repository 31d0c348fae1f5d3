// What texts beside the graph say: quotes with where they stand, apart from what the query shows.
import { t } from "../i18n";
import type { Citation } from "../types";
import { Thing } from "./thing";

/** Where a passage stands. */
function Place({ title, file, page, subject, property }: Citation) {
  if (subject && property) return <><Thing iri={subject.iri} name={subject.label} />, <bdi>{property.label}</bdi></>;
  return <><bdi title={file ?? undefined}>{title}</bdi>{page != null && <> · {t.page_number(page)}</>}</>;
}

/** The passages that are quoted, each with its whole text and the things that it names; `bare` without a heading. */
export function Citations({ citations, bare }: { citations: Citation[]; bare?: boolean }) {
  return (
    <section class="citations">
      {!bare && <h2>{t.from_texts}</h2>}
      {citations.map((citation) => (
        <figure>
          <blockquote><bdi>{citation.quote}</bdi></blockquote>
          <figcaption class="soft">
            <Place {...citation} />
            {citation.passage !== citation.quote && (
              <details><summary>{t.whole_passage}</summary><p><bdi>{citation.passage}</bdi></p></details>
            )}
          </figcaption>
        </figure>
      ))}
    </section>
  );
}
