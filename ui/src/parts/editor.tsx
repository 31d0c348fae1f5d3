// A query being written: the editor, which is loaded when it is first needed, and what came of running it.
import { useEffect, useRef, useState } from "preact/hooks";
import { lang, t } from "../i18n";
import type { OpenEditor, Suggestion } from "../lazy/editor";
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

async function suggestions({ dataset, query }: EditorNeeds, text: string): Promise<Suggestion[]> {
  try {
    const hits = await api.search(dataset, text, "any", lang);
    return hits.map(({ iri, label, kind }) => ({ text: written(iri, query), label, note: t.kinds[kind] ?? kind }));
  } catch {
    // Without suggestions a query can still be written.
    return [];
  }
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
        run: (text) => void run(text), suggest: (text) => suggestions(needs, text),
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
