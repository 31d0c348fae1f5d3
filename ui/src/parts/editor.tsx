// A query being written: the editor, which is loaded when it is first needed, and what came of running it.
import { useEffect, useRef, useState } from "preact/hooks";
import { lang, t } from "../i18n";
import type { OpenEditor, Suggestion, Writing } from "../lazy/editor";
import { api, failureOf } from "../net/api";
import type { Failure } from "../types";
import { Failed } from "./failure";
import { loadEditor } from "./load";

export interface EditorNeeds {
  dataset: string;
  query: string;
  run: (query: string) => Promise<void>;
  close: () => void;
}

/** How long suggestions that a query brings are waited for, and after how long they are slow, in milliseconds. */
const PATIENCE = 1_600;
const SLOW = 1_000;

const PREFIX = /prefix\s+([\p{L}\w-]*:)\s*<([^<>]*)>/giu;

/** An IRI as the query would write it: with one of its prefixes, else in brackets. */
export function written(iri: string, query: string): string {
  for (const [, prefix = "", space = ""] of query.matchAll(PREFIX)) {
    if (space && iri.startsWith(space) && /^[\p{L}\w][\p{L}\w-]*$/u.test(iri.slice(space.length))) {
      return prefix + iri.slice(space.length);
    }
  }
  return `<${iri}>`;
}

/** Names of the graph that begin like a word. */
async function named(dataset: string, { word, query, signal }: Writing): Promise<Named[]> {
  const hits = await api.search(dataset, word, "any", lang, signal);
  return hits.map(({ iri, label, kind }) => ({ iri, text: written(iri, query), label, note: t.kinds[kind] ?? kind }));
}

/** What can stand at the cursor, given the triple patterns around it. */
async function fitting(dataset: string, { query, at, signal }: Writing): Promise<Named[]> {
  const { completions, counted_among } = await api.complete(dataset, query, at, lang, signal);
  return completions.map(({ term, iri, label, kind, solutions }) => {
    const count = `${counted_among ? "≥ " : ""}${t.solutions(solutions)}`;
    return { iri: iri ?? term, text: term, label, note: kind ? `${t.kinds[kind] ?? kind} · ${count}` : count };
  });
}

/** A suggestion with the IRI that it stands for. */
type Named = Suggestion & { iri: string };

/** What can stand at the cursor, then other names. Without suggestions a query can still be written. */
function suggestions(dataset: string): (writing: Writing) => Promise<Suggestion[]> {
  let patience = PATIENCE;
  const inTime = async (writing: Writing): Promise<Named[]> => {
    const began = performance.now();
    const late = new Promise<undefined>((done) => setTimeout(done, patience));
    const found = await Promise.race([fitting(dataset, writing).catch(() => []), late]);
    if (writing.signal.aborted) return [];
    // Nobody waits for a slow endpoint at every word.
    patience = found && performance.now() - began < SLOW ? PATIENCE : Math.max(patience / 2, 100);
    return found ?? [];
  };
  return async (writing) => {
    const names = writing.names ? named(dataset, writing).catch(() => []) : [];
    const [first, others] = await Promise.all([inTime(writing), names]);
    const known = new Set(first.map(({ iri }) => iri));
    return [...first, ...others.filter(({ iri }) => !known.has(iri))];
  };
}

/** A failure with the place in the query that it is about. */
function placed(error: Failure): Failure {
  const { line, column, detail } = error;
  return line ? { ...error, detail: `${t.at_line(line, column ?? undefined)}${t.colon}${detail}` } : error;
}

export function Editor(needs: EditorNeeds) {
  const { query, close } = needs;
  const box = useRef<HTMLDivElement>(null);
  const editor = useRef<OpenEditor>(undefined);
  const [running, setRunning] = useState(false);
  const [error, setError] = useState<Failure>();
  const run = async (text: string): Promise<void> => {
    setRunning(true);
    setError(undefined);
    try {
      await needs.run(text);
    } catch (thrown) {
      const failure = failureOf(thrown);
      setError(placed(failure));
      if (failure.line) editor.current?.mark(failure.line, failure.column ?? undefined);
    } finally {
      setRunning(false);
    }
  };
  useEffect(() => {
    loadEditor().then(({ openEditor }) => {
      if (!box.current) return;
      editor.current = openEditor(box.current, {
        query, name: t.editor, help: t.editor_help,
        run: (text) => void run(text), suggest: suggestions(needs.dataset),
      });
    }).catch((thrown) => setError(failureOf(thrown)));
    return () => editor.current?.close();
  }, []);
  return (
    <div>
      <div ref={box} class="codebox" />
      <div class="editmessage">{error && <Failed error={error} />}</div>
      <div class="row">
        <button class="main" disabled={running} onClick={() => void run(editor.current?.text() ?? query)}>{t.run}</button>
        <button class="plain" onClick={close}>{t.cancel}</button>
        <span class="soft small">{t.editor_help}</span>
      </div>
    </div>
  );
}
