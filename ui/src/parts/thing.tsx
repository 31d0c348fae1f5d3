// A value in the page: names of things open their card, addresses lead to where they live, literals are text.
import { nameOf, showLiteral } from "../format";
import { t } from "../i18n";
import { Icon } from "../icons";
import { safeAddress } from "../safe";
import type { Term } from "../types";

type Opener = (iri: string, name: string) => void;
let open: Opener | undefined;

/** Says what happens when somebody wants to see a thing; nothing, where things cannot be looked at. */
export function whenOpened(opener: Opener | undefined): void {
  open = opener;
}

/** Whether a click is meant for the page, and not for a new tab or window. */
export const isPlain = (event: MouseEvent): boolean =>
  !event.ctrlKey && !event.metaKey && !event.shiftKey && event.button === 0;

/** A thing by its name; a click shows its card. */
export function Thing({ iri, name, href }: { iri: string; name: string; href?: string | null }) {
  const home = safeAddress(href);
  if (!open) return home ? <Outward text={name} href={home} /> : <bdi>{name}</bdi>;
  if (!home) return <button class="thing" onClick={() => open?.(iri, name)}><bdi>{name}</bdi></button>;
  const onClick = (event: MouseEvent): void => {
    if (!isPlain(event)) return;
    event.preventDefault();
    open?.(iri, name);
  };
  return <a class="thing" href={home} rel="noreferrer" onClick={onClick}><bdi>{name}</bdi></a>;
}

/** A link to a page elsewhere, marked as such. */
export function Outward({ text, href }: { text: string; href: string }) {
  return (
    <a href={href} rel="noreferrer noopener" target="_blank" class="outward">
      <bdi>{text}</bdi><Icon name="out" /><span class="unseen"> ({t.opens})</span>
    </a>
  );
}

/** Any value. */
export function Value({ term, kind }: { term: Term | null | undefined; kind?: string }) {
  if (!term) return <span class="none" aria-label={t.not_there}>–</span>;
  if (term.type === "uri") {
    if (kind !== "link" && kind !== "picture") return <Thing iri={term.value} name={nameOf(term)} href={term.href} />;
    const home = safeAddress(term.href);
    const text = term.label ?? term.value;
    return home ? <Outward text={text} href={home} /> : <bdi>{text}</bdi>;
  }
  if (term.type === "bnode") return <bdi class="soft">{nameOf(term)}</bdi>;
  return <bdi lang={term.lang ?? undefined} dir="auto">{term.label ?? showLiteral(term, kind)}</bdi>;
}
