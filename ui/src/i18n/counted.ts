// A number with its noun, in the manner of a language.

/** How a language counts; `single` says which numbers take the singular. */
export function counted(lang: string, single = (n: number): boolean => n === 1) {
  return (n: number, one: string, more: string): string => `${n.toLocaleString(lang)} ${single(n) ? one : more}`;
}
