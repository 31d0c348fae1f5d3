// What a term of the graph is, in words: what suggestions, corrections and proposals show beside its name.
import { t } from "../i18n";

/** What proposals call otherwise than suggestions do. */
const SAME: Record<string, string> = { thing: "entity", prefer: "property" };

/** `about` is the class of a thing, or the property that has a value. */
export function kindOf(kind: string, about?: string | null): string {
  if (kind === "value") return t.value_of(about ?? "");
  const name = t.kinds[SAME[kind] ?? kind] ?? kind;
  return about ? `${name} · ${about}` : name;
}
