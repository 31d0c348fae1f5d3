// SPARQL with colours: a small reader of its words, for showing only.
import type { VNode } from "preact";

export const TOKEN = new RegExp([
  /(?<comment>#[^\n]*)/, /(?<iri><[^<>"{}|^`\\\s]*>)/, /(?<string>"""[\s\S]*?"""|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')/,
  /(?<variable>[?$]\w+)/, /(?<name>[\p{L}\w-]*:[\p{L}\w.%-]*)/u, /(?<word>[A-Za-z_]+)/, /(?<number>\d+(?:\.\d+)?)/,
].map(({ source }) => source).join("|"), "gu");

const KEYWORDS = new Set((
  "base prefix select distinct reduced construct describe ask from named where order by asc desc limit offset values " +
  "optional graph union minus filter bind as service exists not in group having count sum avg min max sample " +
  "group_concat separator a true false undef"
).split(" "));

/** The query as text and coloured spans. */
export function highlighted(query: string): (string | VNode)[] {
  const parts: (string | VNode)[] = [];
  let at = 0;
  for (const found of query.matchAll(TOKEN)) {
    const text = found[0];
    const kind = Object.entries(found.groups ?? {}).find(([, value]) => value !== undefined)?.[0] ?? "";
    const name = kind !== "word" ? kind : KEYWORDS.has(text.toLowerCase()) ? "keyword" : "";
    parts.push(query.slice(at, found.index), name ? <span class={`q-${name}`}>{text}</span> : text);
    at = found.index + text.length;
  }
  parts.push(query.slice(at));
  return parts;
}
