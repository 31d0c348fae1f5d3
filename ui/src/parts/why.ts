// Why a row is an answer: the parts of the query with the row's values put in, each in its own form.
import { bdi, fill, h, type Child } from "../dom";
import { t, wished } from "../i18n";
import { api, failureOf } from "../net/api";
import type { Why, WhyPart } from "../types";
import { failure } from "./failure";
import { value } from "./thing";

type Triple = Pick<WhyPart, "subject" | "predicate" | "object">;

const triple = ({ subject, predicate, object }: Triple): Child =>
  [value(subject), " ", h("span", { class: "soft" }, predicate ? value(predicate) : ""), " ", value(object)];

const badge = (text: string): HTMLElement => h("span", { class: "chip plain" }, text);

function members(part: WhyPart): Child {
  const { members: all = [], total = all.length, shown = all.length } = part;
  const names = all.map((row) => h("li", null, row.map((term, n) => [n > 0 ? " · " : null, value(term)])));
  const name = t.function[part.function ?? ""] ?? part.function ?? "";
  return [
    h("span", null, name, " ", bdi(part.of ?? ""), part.value ? [t.colon, h("b", null, value(part.value))] : null),
    names.length > 0
      ? h("details", null, h("summary", null, shown < total ? t.shown_of(shown, total) : t.rows(total)), h("ol", null, names))
      : null,
  ];
}

function told(part: WhyPart): Child {
  switch (part.kind) {
    case "triple":
      return [triple(part), part.optional ? [" ", badge("OPTIONAL")] : null];
    case "path":
      return [value(part.subject), " ", h("span", { class: "soft" }, bdi(part.path ?? "")), " ", value(part.object),
        part.triples?.length ? h("ul", null, part.triples.map((one) => h("li", null, triple(one)))) : null];
    case "condition":
      return [bdi(part.words ?? ""), " ", badge(part.holds === false ? t.fails : t.holds)];
    case "absent":
      return [bdi(part.words ?? ""), part.pattern ? h("code", { class: "pattern" }, bdi(part.pattern)) : null];
    case "members":
      return members(part);
    case "rank":
      return [bdi(part.words ?? ""), part.place ? [" ", badge(t.place(part.place))] : null];
    default:
      return bdi(part.words ?? "");
  }
}

export function whyParts(why: Why): Child {
  return [
    why.text ? h("p", { class: "whytext", dir: "auto" }, why.text) : null,
    why.parts.length > 0 ? h("ul", { class: "proofs" }, why.parts.map((part) => h("li", { class: `p-${part.kind}` }, told(part)))) : null,
    (why.notes ?? []).map((note) => h("p", { class: "soft", dir: "auto" }, note)),
  ];
}

/** Loads the why of a row into an element. */
export function showWhy(run: string, row: number, into: HTMLElement): void {
  fill(into, h("span", { class: "soft" }, `${t.loading} …`));
  api.why(run, row, wished)
    .then((why) => fill(into, whyParts(why)))
    .catch((error) => fill(into, failure(failureOf(error), () => showWhy(run, row, into))));
}
