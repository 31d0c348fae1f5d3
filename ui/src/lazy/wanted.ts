// Which suggestions are wanted for what is being written in a query.

export interface Wanted {
  /** What has been written of a name; of a prefixed name, what follows its colon. */
  word: string;
  /** How much the suggestion replaces. */
  length: number;
  /** Whether any name of the graph may be meant: there are two letters. */
  names: boolean;
}

const WRITTEN = /[\p{L}\w-]*:?[\p{L}\w-]*$/u;

/**
 * Nothing for variables, languages, the text of strings, and IRIs in brackets, nor where no term is begun: at the beginning of a line and
 * after punctuation, unless somebody asks for suggestions.
 */
export function wanted(before: string, asked: boolean): Wanted | undefined {
  const written = WRITTEN.exec(before)?.[0] ?? "";
  const rest = before.slice(0, before.length - written.length);
  if (/[?$@<"'#]$/.test(rest)) return undefined;
  const begun = written !== "" || /[^\s.;,{}()[\]][ \t]+$/.test(rest);
  if (!begun && !asked) return undefined;
  const word = written.slice(written.indexOf(":") + 1);
  return { word, length: written.length, names: written.length >= 2 && word !== "" };
}
