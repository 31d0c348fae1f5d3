// A query as people read it: one statement a line, long addresses by prefixes. It says the same as before. A query that
// somebody has laid out already is left as it is.
import { TOKEN } from "./sparql";

const KNOWN: Record<string, string> = {
  "http://www.w3.org/1999/02/22-rdf-syntax-ns#": "rdf",
  "http://www.w3.org/2000/01/rdf-schema#": "rdfs",
  "http://www.w3.org/2001/XMLSchema#": "xsd",
  "http://www.w3.org/2002/07/owl#": "owl",
  "http://www.w3.org/2004/02/skos/core#": "skos",
  "http://www.wikidata.org/entity/": "wd",
  "http://www.wikidata.org/prop/direct/": "wdt",
};
const SHORT = /^<(.*[/#])([A-Za-z_][\w-]*)>$/;
const CLAUSES = new Set(["order", "group", "having", "limit", "offset", "values"]);

class Prefixes {
  private readonly names = new Map<string, string>();

  constructor(private readonly taken: Set<string>) {}

  short(iri: string): string {
    const [, space, local] = SHORT.exec(iri) ?? [];
    if (!space || !local) return iri;
    let name = this.names.get(space);
    if (name === undefined) {
      name = this.free(KNOWN[space] ?? /([A-Za-z]{1,12})[^/#A-Za-z]*[/#]$/.exec(space)?.[1]?.toLowerCase() ?? "ns");
      this.names.set(space, name);
    }
    return `${name}:${local}`;
  }

  private free(wish: string): string {
    let name = wish;
    for (let n = 2; this.taken.has(name); n++) name = `${wish}${n}`;
    this.taken.add(name);
    return name;
  }

  lines(): string[] {
    return [...this.names].map(([space, name]) => `PREFIX ${name}: <${space}>`);
  }
}

/** The pieces of a query: its words, and single signs (or a sign that is escaped) between them. */
function pieces(query: string): string[] {
  const all: string[] = [];
  let at = 0;
  const signs = (text: string): void => void all.push(...(text.match(/\s+|\\.|[^\s]/gu) ?? []));
  for (const found of query.matchAll(TOKEN)) {
    signs(query.slice(at, found.index));
    all.push(found[0]);
    at = found.index + found[0].length;
  }
  signs(query.slice(at));
  return all;
}

class Lines {
  private readonly done: string[] = [];
  private line = "";
  depth = 0;

  add(text: string): void {
    if (this.line !== "" || text.trim() !== "") this.line += text;
  }

  /** Whether the line is one that its bracket ends. */
  isCondition(): boolean {
    return /^\s*(filter|bind)\b/i.test(this.line);
  }

  end(): void {
    const text = this.line.trim();
    if (text) this.done.push("  ".repeat(this.depth) + text);
    this.line = "";
  }

  all(): string[] {
    this.end();
    return this.done;
  }
}

/** The declarations at the beginning of a query. */
const PROLOGUE = /^(?:\s*prefix\s+[\p{L}\w-]*:\s*<[^<>]*>)*/iu;
const DECLARED = /prefix\s+([\p{L}\w-]*):\s*<[^<>]*>/giu;

export function pretty(query: string): string {
  const prologue = PROLOGUE.exec(query)?.[0] ?? "";
  const text = query.slice(prologue.length).trim();
  if (text.includes("\n") || /\b(prefix|base)\b/i.test(text)) return query;
  const declared = [...prologue.matchAll(DECLARED)];
  const prefixes = new Prefixes(new Set(declared.map(([, name = ""]) => name)));
  return [...declared.map(([line]) => line), ...body(text, prefixes)].join("\n");
}

/** The lines of a query without its declarations; those of the prefixes that it needs come first. */
function body(query: string, prefixes: Prefixes): string[] {
  const lines = new Lines();
  let round = 0;
  for (const piece of pieces(query)) {
    if (piece === "(") round++;
    if (piece === ")") round--;
    if (piece === ")" && round === 0 && lines.isCondition()) {
      lines.add(piece);
      lines.end();
      continue;
    }
    if (piece === "{") {
      lines.add(piece);
      lines.end();
      lines.depth++;
    } else if (piece === "}") {
      lines.end();
      lines.depth--;
      lines.add(piece);
      if (lines.depth > 0) lines.end();
    } else if (piece === "." && round === 0 && lines.depth > 0) {
      lines.add(piece);
      lines.end();
    } else {
      if (round === 0 && (CLAUSES.has(piece.toLowerCase()) || /^(filter|optional|bind|minus)$/i.test(piece))) lines.end();
      lines.add(piece.startsWith("<") && piece.length > 1 ? prefixes.short(piece) : /^\s+$/.test(piece) ? " " : piece);
    }
  }
  const all = lines.all();
  return [...prefixes.lines(), ...all];
}
