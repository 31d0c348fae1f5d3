// The shapes of the interface, as the service sends them. Names of fields are those of the JSON.

export interface Term {
  type: "uri" | "literal" | "bnode";
  value: string;
  datatype?: string;
  lang?: string;
  label?: string;
  href?: string;
}

export type ColumnKind =
  | "thing" | "number" | "year" | "month" | "date" | "text" | "boolean" | "coordinates" | "picture" | "link";

export interface Column {
  name: string;
  title: string;
  kind: ColumnKind;
  unit?: string;
}

export type Place = [number, number];

export interface Rows {
  boolean?: boolean;
  columns?: Column[];
  rows?: (Term | null)[][];
  row_count?: number;
  /** Why there may be more, where there may. */
  incomplete?: string | boolean;
  places?: Record<string, Place>;
}

export interface AnswerPart {
  text: string;
  iri?: string;
  href?: string;
  /** Whether it is a question that may be asked next. */
  asks?: boolean;
}

export interface Answer {
  text: string;
  parts: AnswerPart[];
  lang?: string;
  by: "reading" | "model";
  unverified?: string[];
  kind: "answer" | "empty" | "not_in_graph" | "doubt";
}

export interface Failure {
  detail: string;
  code: string;
  line?: number;
  column?: number;
  retry_after?: number;
}

export interface Confidence {
  name: "sure" | "likely" | "guess";
  probability: number;
}

/** Words of the question and what they stand for in the query. */
export interface Because { words: string; name?: string; part: string; right: string; text: string }

/** Something that nothing accounts for. */
export interface Doubt { kind: string; about: string; text: string }

export interface Word {
  text: string;
  used: boolean;
}

export interface QueryPart {
  sparql: string;
  words: string;
}

export interface Alternative {
  reading: string;
  query: string;
  rows: number;
  /** The properties by which alone it differs from the answer. */
  choice?: Choice;
}

/** Two properties of which either may be meant. */
export interface Choice {
  taken: Chosen;
  instead: Chosen;
}

export interface Chosen {
  iri: string;
  name: string;
}

export interface Empty {
  reason: string;
  drop?: { condition: string; query: string; rows: number }[];
}

export interface ToolCall {
  name: string;
  arguments: string;
}

export interface Step {
  at_ms: number;
  elapsed_ms: number;
  kind: string;
  observation?: string;
  thought?: string | null;
  calls?: ToolCall[];
  name?: string;
  arguments?: string;
  outcome?: string;
  readings?: string[];
  change?: string;
  note?: string;
}

export interface Run {
  id: string;
  dataset: string;
  question: string;
  asked?: string;
  taken_over?: string[];
  /** The earlier questions without which it cannot be read, the oldest first. */
  follows?: string[];
  lang?: string;
  asked_at?: string;
  state: "running" | "done" | "failed" | "cancelled";
  error?: Failure;
  answered_by?: "agent" | "planner";
  model?: string;
  confidence?: Confidence;
  reading?: string;
  unused?: string[];
  not_found?: string[];
  /** Names that the graph does not have just so, with names of the graph that are written alike. */
  similar?: { words: string; name: string }[];
  /** Things that the question only names. */
  about?: string[];
  words?: Word[];
  because?: Because[];
  doubts?: Doubt[];
  alternatives?: Alternative[];
  query?: string;
  /** The query that the rows come from, where it has more columns. */
  rows_query?: string;
  explanation?: QueryPart[];
  editor?: string;
  rows?: Rows;
  answer?: Answer;
  empty?: Empty;
  trace?: { steps?: Step[]; degraded?: string[] };
  elapsed_ms?: number;
}

export interface WhyPart {
  kind: string;
  subject?: Term;
  predicate?: Term;
  object?: Term;
  optional?: boolean;
  path?: string;
  triples?: { subject: Term; predicate: Term; object: Term }[];
  words?: string;
  holds?: boolean;
  pattern?: string;
  of?: string;
  function?: string;
  members?: (Term | null)[][];
  total?: number;
  shown?: number;
  value?: Term;
  place?: number;
}

export interface Why {
  row: number;
  text: string;
  parts: WhyPart[];
  notes?: string[];
}

export interface Hit {
  iri: string;
  label: string;
  kind: string;
  description?: string;
  matched?: string;
  classes?: string[];
}

export interface Fact {
  property: Term;
  values: Term[];
  more?: number;
}

export interface Entry {
  iri: string;
  label?: string;
  description?: string;
  href?: string;
  picture?: string;
  coordinates?: Place;
  classes?: Term[];
  facts?: Fact[];
  incoming?: Fact[];
}

export interface Card {
  id: string;
  name: string;
  triples?: number;
  entities?: number;
  built_at?: string;
  languages?: { tag: string; share: number }[];
  classes: {
    iri: string;
    label: string;
    count: number;
    properties?: { iri: string; label: string; kind?: string; share?: number }[];
    examples?: { iri: string; label: string }[];
  }[];
  /** What it is about, in a sentence. */
  about?: string;
  properties: { iri: string; label: string; uses?: number; kind?: string }[];
  schema?: {
    nodes: { iri: string; label: string; count: number }[];
    edges: { from: string; to: string; property: string; label: string; count: number }[];
  };
  examples?: string[];
  /** Whether more of them are being made. */
  examples_pending?: boolean;
}

/** A graph that is served. */
export interface Served {
  id: string;
  name: string;
  /** Other names it answers to. */
  aliases?: string[];
}

export interface Config {
  name?: string;
  version?: string;
  pages?: {
    queries?: boolean;
    feedback?: boolean;
    key?: boolean;
    tiles?: { url: string; attribution: string } | null;
    pictures?: boolean;
  };
  languages?: string[];
  datasets?: Served[];
}
