// The interface's shapes by the names that the page has for them; what they are, its description says (api.d.ts).
import type { DatasetName, ErrorBody, Explained, PageConfig, PartOfText, Reason, ShownTerm } from "./api";

export type {
  Alternative, Answer, Article, AskedAgain, Because, BoardCandidate, BoardLink, BoardPage, BoardParameter, BoardQuestion, BoardResult, Card, Change, Chosen, Citation, Claim, Claims, Class, Column, Compared, Completions, Computed, Correction, Decided, Doubt, Entry, Fact, Hit, JudgedNow, JudgedTest, Judgement, Proposal, Recording, Rows, Run, Step, Table, TestProposal, TestScore, TestSet, TestShare, Trial, TrialAnswer, Why,
} from "./api";

export type Term = ShownTerm;
export type AnswerPart = PartOfText;
export type QueryPart = Explained;
export type WhyPart = Reason;
export type Served = DatasetName;
export type Config = PageConfig;

/** What a column may contain; the description has these words as text. */
export type ColumnKind =
  | "thing" | "number" | "year" | "month" | "date" | "text" | "boolean" | "coordinates" | "picture" | "link";

/** A row of a table. */
export type Row = (Term | null)[];

/** Latitude and longitude. */
export type Place = [number, number];

/** What went wrong, and after how many seconds it may be tried again. */
export type Failure = ErrorBody & { retry_after?: number };
