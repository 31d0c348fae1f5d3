// Runs and rows for the unit tests: whole, as the service sends them, but for what a test is about.
import type { Column, Place, Row, Run, Table } from "./types";

export const aTable = (columns: Column[], rows: Row[], places?: Record<string, Place>): Table =>
  ({ columns, rows, row_count: rows.length, ...(places && { places }) });

export const aRun = (more: Partial<Run> = {}): Run => ({
  id: "r1", dataset: "demo", question: "How long is the Danube?", asked: "How long is the Danube?", asked_at: "2026-01-01T00:00:00Z",
  lang: "en", state: "done", taken_over: [], unused: [], not_found: [], words: [], because: [], doubts: [], alternatives: [],
  explanation: [], elapsed_ms: 1, ...more,
});
