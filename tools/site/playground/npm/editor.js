// The editor of the playground: CodeMirror with what a model in Starlark needs, which reads like Python.
import { basicSetup } from "codemirror";
import { EditorState } from "@codemirror/state";
import { EditorView, keymap } from "@codemirror/view";
import { indentUnit, HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { python } from "@codemirror/lang-python";
import { setDiagnostics } from "@codemirror/lint";
import { tags } from "@lezer/highlight";

// Colours are the page's, so that they follow it into the dark and keep their contrast.
const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword], color: "var(--keyword)" },
  { tag: [tags.string, tags.docString], color: "var(--string)" },
  { tag: tags.comment, color: "var(--quiet)", fontStyle: "italic" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--number)" },
  { tag: [tags.function(tags.definition(tags.variableName))], color: "var(--name)" },
]);
const theme = EditorView.theme({
  "&": { color: "var(--text)", backgroundColor: "var(--ground)", height: "100%", fontSize: "14px" },
  ".cm-gutters": { color: "var(--quiet)", backgroundColor: "var(--raised)", border: "none" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--raised)" },
  ".cm-scroller": { fontFamily: "ui-monospace, monospace" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "var(--mark) !important" },
});

// makeEditor puts an editor into an element; run is called on Ctrl-Enter.
self.makeEditor = (parent, text, run) => {
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        keymap.of([{ key: "Mod-Enter", run: () => { run(); return true; } }]),
        basicSetup, python(), indentUnit.of("    "), theme, syntaxHighlighting(colours),
        EditorView.contentAttributes.of({ "aria-label": "The model" }),
      ],
    }),
  });
  return {
    text: () => view.state.doc.toString(),
    set: (doc) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: doc } }),
    // mark shows an error at a line and column, both from 1; none without arguments.
    mark: (line, column, message) => {
      const found = [];
      if (line >= 1 && line <= view.state.doc.lines) {
        const at = view.state.doc.line(line);
        const from = Math.min(at.from + Math.max(0, (column || 1) - 1), at.to);
        found.push({ from, to: Math.max(from, at.to), severity: "error", message });
        view.dispatch({ selection: { anchor: from }, scrollIntoView: true });
      }
      view.dispatch(setDiagnostics(view.state, found));
    },
  };
};
