// The editor of a query: CodeMirror with colours of SPARQL and completion of the graph's own terms. It stands in a
// shadow tree, where its styles are sheets of the tree, which the page's security policy allows.
import { autocompletion, closeBrackets, type CompletionContext, type CompletionResult } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { bracketMatching, HighlightStyle, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { sparql } from "@codemirror/legacy-modes/mode/sparql";
import { EditorState, StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, drawSelection, EditorView, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { type Wanted, wanted } from "./wanted";

export interface Suggestion {
  text: string;
  label: string;
  note: string;
}

/** What is being written, and where. */
export interface Writing extends Wanted {
  query: string;
  /** Characters before the cursor. */
  at: number;
  /** Aborted when somebody writes on. */
  signal: AbortSignal;
}

export interface EditorNeeds {
  query: string;
  name: string;
  help: string;
  run: (query: string) => void;
  /** Terms of the graph for what is being written. */
  suggest: (writing: Writing) => Promise<Suggestion[]>;
}

export interface OpenEditor {
  text: () => string;
  close: () => void;
  mark: (line: number, column: number | undefined) => void;
}

const setMark = StateEffect.define<{ from: number; to: number } | null>();

const marks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(found, transaction) {
    let next = transaction.docChanged ? Decoration.none : found;
    for (const effect of transaction.effects) {
      if (!effect.is(setMark)) continue;
      next = effect.value ? Decoration.set([Decoration.line({ class: "wrong" }).range(effect.value.from)]) : Decoration.none;
    }
    return next;
  },
  provide: (field) => EditorView.decorations.from(field),
});

const theme = EditorView.theme({
  "&": { fontSize: "14px", color: "var(--ink)", backgroundColor: "var(--surface)" },
  "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "-2px" },
  ".cm-content": { fontFamily: "var(--mono)", padding: "12px 0", caretColor: "var(--ink)" },
  ".cm-gutters": { background: "none", border: "none", color: "var(--soft)", paddingLeft: "8px" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "var(--accent-soft)",
  },
  ".wrong": { backgroundColor: "var(--warn-soft)", boxShadow: "inset 3px 0 var(--warn)" },
  ".cm-tooltip": { background: "var(--surface)", color: "var(--ink)", border: "1px solid var(--line)", borderRadius: "8px" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": { background: "var(--accent)", color: "var(--surface)" },
  ".cm-completionDetail": { fontStyle: "normal", opacity: "1" },
});

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.operator], color: "var(--accent)" },
  { tag: tags.variableName, color: "var(--variable)" },
  { tag: [tags.string, tags.number, tags.literal], color: "var(--warn)" },
  { tag: tags.comment, color: "var(--soft)" },
]);

function source(suggest: EditorNeeds["suggest"]) {
  return async (context: CompletionContext): Promise<CompletionResult | null> => {
    const { pos, state } = context;
    const found = wanted(state.sliceDoc(state.doc.lineAt(pos).from, pos), context.explicit);
    if (!found) return null;
    const given = new AbortController();
    context.addEventListener("abort", () => given.abort(), { onDocChange: true });
    const [query, at] = [state.doc.toString(), [...state.sliceDoc(0, pos)].length];
    const suggested = await suggest({ ...found, query, at, signal: given.signal });
    if (context.aborted || suggested.length === 0) return null;
    const options = suggested.map(({ text, label, note }) => ({ label, detail: note, apply: text }));
    return { from: pos - found.length, options, filter: false };
  };
}

export function openEditor(box: HTMLElement, needs: EditorNeeds): OpenEditor {
  const root = box.attachShadow({ mode: "open" });
  const view: EditorView = new EditorView({
    root,
    parent: root as unknown as HTMLElement,
    state: EditorState.create({
      doc: needs.query,
      extensions: [
        lineNumbers(), history(), drawSelection(), bracketMatching(), closeBrackets(), EditorView.lineWrapping, marks, theme,
        StreamLanguage.define(sparql), syntaxHighlighting(colours),
        autocompletion({ override: [source(needs.suggest)] }),
        EditorView.contentAttributes.of({ "aria-label": needs.name, "aria-description": needs.help }),
        keymap.of([
          { key: "Mod-Enter", run: () => (needs.run(view.state.doc.toString()), true) },
          ...defaultKeymap, ...historyKeymap,
        ]),
      ],
    }),
  });
  view.focus();
  return {
    text: () => view.state.doc.toString(),
    close: () => view.destroy(),
    mark(number, column) {
      const line = view.state.doc.line(Math.min(Math.max(number, 1), view.state.doc.lines));
      const at = Math.min(line.from + Math.max((column ?? 1) - 1, 0), line.to);
      view.dispatch({ selection: { anchor: at }, effects: setMark.of({ from: line.from, to: line.to }), scrollIntoView: true });
      view.focus();
    },
  };
}
