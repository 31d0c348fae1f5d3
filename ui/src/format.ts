// Values as people write them: numbers, years and dates in the reader's manner, names for things.
import { lang, t } from "./i18n";
import type { Place, Term } from "./types";

const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/;
const DATE = /^(-?\d{4,})-(\d\d)-(\d\d)(T\d\d:\d\d(:\d\d(\.\d+)?)?)?(Z|[+-]\d\d:\d\d)?$/;
const YEAR = /^-?\d{1,6}(Z|[+-]\d\d:\d\d)?$/;

/** The number that a text is; nothing if it is none. */
export function numberOf(text: string | undefined): number | undefined {
  if (text === undefined || !NUMBER.test(text)) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}

/** A number in the reader's manner; digits that a double cannot hold are left as they are. */
export function showNumber(text: string): string {
  const value = numberOf(text);
  if (value === undefined || text.replace(/\D/g, "").length > 15) return text;
  const fraction = /\.(\d+)/.exec(text)?.[1]?.length ?? 0;
  if (Math.abs(value) >= 1e15 || (value !== 0 && Math.abs(value) < 1e-6)) return text;
  return value.toLocaleString(lang, { maximumFractionDigits: Math.min(Math.max(fraction, 0), 6) });
}

/** A year, also one before Christ. */
export function showYear(text: string): string {
  if (!YEAR.test(text)) return text;
  const year = Number.parseInt(text, 10);
  return year < 0 ? t.before(String(-year)) : String(year);
}

/** A date, with its time of day where there is one. */
export function showDate(text: string): string {
  const found = DATE.exec(text);
  if (!found || text.startsWith("-")) return text;
  const stamp = new Date(text.length === 10 ? `${text}T00:00:00Z` : text);
  if (Number.isNaN(stamp.getTime())) return text;
  const day: Intl.DateTimeFormatOptions = { dateStyle: "long", timeZone: "UTC" };
  const clock = found[4] !== undefined && !/T00:00(:00)?/.test(found[4]);
  return stamp.toLocaleString(lang, clock ? { ...day, timeStyle: "short" } : day);
}

/** The point in time of a year or date as a fraction of years; nothing if it is none. */
export function yearsOf(text: string): number | undefined {
  const date = DATE.exec(text);
  if (date) return Number(date[1]) + (Number(date[2]) - 1) / 12 + (Number(date[3]) - 1) / 372;
  return YEAR.test(text) ? Number.parseInt(text, 10) : undefined;
}

const POINT = /POINT\s*\(\s*([-\d.]+)\s+([-\d.]+)\s*\)/i;
const PAIR = /^\s*([-\d.]+)[\s,;]+([-\d.]+)\s*$/;

/** Two numbers as a place. */
export function pairOf(numbers: number[] | null | undefined): Place | undefined {
  const [latitude, longitude] = numbers ?? [];
  return latitude === undefined || longitude === undefined ? undefined : [latitude, longitude];
}

/** Latitude and longitude of a value, if it is a place on Earth. */
export function placeOf(text: string): Place | undefined {
  const point = POINT.exec(text);
  const pair = point ?? PAIR.exec(text);
  if (!pair) return undefined;
  const [first, second] = [Number(pair[1]), Number(pair[2])];
  const place: Place = point ? [second, first] : [first, second];
  return Math.abs(place[0]) <= 90 && Math.abs(place[1]) <= 180 ? place : undefined;
}

/** The last part of an address, for things without a name. */
export function localName(iri: string): string {
  const cut = iri.replace(/[/#]+$/, "");
  const name = cut.slice(Math.max(cut.lastIndexOf("/"), cut.lastIndexOf("#"), cut.lastIndexOf(":")) + 1);
  try {
    return decodeURIComponent(name).replaceAll("_", " ") || iri;
  } catch {
    return name || iri;
  }
}

/** What a term is called. */
export function nameOf(term: Term): string {
  if (term.label) return term.label;
  return term.type === "uri" ? localName(term.value) : term.value;
}

/** The name of a month by its number. */
function showMonth(value: string): string {
  const month = Number(value);
  return month >= 1 && month <= 12 ? new Date(2000, month - 1, 1).toLocaleDateString(lang, { month: "long" }) : value;
}

/** A literal as people write it, by the kind of its column where that is known. */
export function showLiteral(term: Term, kind?: string): string {
  const { value } = term;
  const type = term.datatype?.split("#")[1] ?? "";
  if (kind === "year" || type === "gYear") return showYear(value);
  if (kind === "month") return showMonth(value);
  if (kind === "date" || type === "date" || type === "dateTime") return showDate(value);
  if (type === "boolean" && /^(true|1|false|0)$/.test(value)) return /^(true|1)$/.test(value) ? t.true : t.false;
  if (kind === "number" || /^(integer|decimal|double|float|long|int|short|nonNegativeInteger)$/.test(type)) {
    return showNumber(value);
  }
  return value;
}

/** Any term as text. */
export function showTerm(term: Term, kind?: string): string {
  return term.type === "literal" ? (term.label ?? showLiteral(term, kind)) : nameOf(term);
}

/** How long something took. */
export function showSeconds(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  const digits = seconds < 0.1 ? 3 : seconds < 10 ? 2 : 1;
  return t.seconds(seconds.toLocaleString(lang, { maximumFractionDigits: digits }));
}
