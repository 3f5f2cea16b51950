// The editor of one text, by CodeMirror, with the places that pith names marked.
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import {
  bracketMatching,
  HighlightStyle,
  StreamLanguage,
  syntaxHighlighting,
} from "@codemirror/language";
import { type Diagnostic, lintGutter, setDiagnostics } from "@codemirror/lint";
import { EditorState, type Text } from "@codemirror/state";
import { drawSelection, EditorView, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { clean } from "../dom";
import type { Remark } from "./remarks";

// Names, variables, numbers, comments: the same words in all of pith's texts.
const clauses = StreamLanguage.define({
  name: "clauses",
  token: (stream) => {
    if (stream.match(/^%.*/) || stream.match(/^#.*/)) return "comment";
    if (stream.match(/^'(?:[^'\\]|\\.|'')*'?/) || stream.match(/^"(?:[^"\\]|\\.)*"?/))
      return "string";
    if (stream.match(/^(?:pos|neg)(?=\()/)) return "keyword";
    if (stream.match(/^[\p{Lu}_][\p{L}\p{N}_]*/u)) return "variableName";
    if (stream.match(/^-?\d+(?:\.\d+)?/)) return "number";
    if (stream.match(/^:-|^\\\+/)) return "operator";
    if (stream.match(/^[\p{L}\p{N}_]+/u)) return null;
    stream.next();
    return null;
  },
});

const colours = HighlightStyle.define([
  { tag: tags.comment, color: "var(--quiet)", fontStyle: "italic" },
  { tag: tags.string, color: "var(--good)" },
  { tag: tags.keyword, color: "var(--accent)", fontWeight: "600" },
  { tag: tags.variableName, color: "var(--mixed)" },
  { tag: tags.number, color: "var(--good)" },
  { tag: tags.operator, color: "var(--accent)" },
]);

const look = EditorView.theme({
  "&": { backgroundColor: "var(--paper)", color: "var(--ink)", fontSize: "14px" },
  "&:focus-within": { outline: "2px solid var(--accent)", outlineOffset: "-2px" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.5", maxHeight: "50vh" },
  ".cm-content": { caretColor: "var(--ink)", minHeight: "12em" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": { backgroundColor: "var(--panel)", color: "var(--quiet)", border: "none" },
  "& .cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground":
    { backgroundColor: "var(--accent-soft)" },
  ".cm-tooltip": {
    backgroundColor: "var(--panel)",
    color: "var(--ink)",
    border: "1px solid var(--rule)",
    maxWidth: "min(60ch, 90vw)",
  },
});

// Where a remark points to: to the end of the word there.
function rangeOf(text: Text, r: Remark): { from: number; to: number } {
  const line = text.line(Math.min(Math.max(r.line, 1), text.lines));
  const characters = [...line.text].slice(0, Math.max(r.column - 1, 0));
  const from = Math.min(line.from + characters.join("").length, line.to);
  const word = /^[\p{L}\p{N}_]+/u.exec(line.text.slice(from - line.from))?.[0] ?? " ";
  const to = Math.min(from + word.length, line.to);
  return to > from ? { from, to } : { from: Math.max(line.from, from - 1), to: line.to };
}

export class Editor {
  private readonly view: EditorView;

  constructor(parent: HTMLElement, nonce: string, onChange: (text: string) => void) {
    const changes = EditorView.updateListener.of((u) => {
      if (u.docChanged && !this.quiet) onChange(u.state.doc.toString());
    });
    this.extensions = [
      EditorView.cspNonce.of(nonce),
      lineNumbers(),
      lintGutter(),
      history(),
      drawSelection(),
      bracketMatching(),
      EditorView.lineWrapping,
      keymap.of([...defaultKeymap, ...historyKeymap]),
      clauses,
      syntaxHighlighting(colours),
      look,
      changes,
    ];
    this.view = new EditorView({ parent, state: this.stateOf("", "") });
  }

  private readonly extensions;
  private quiet = false;
  private readonly states = new Map<string, EditorState>();
  private shown = "";

  // Each file keeps its own cursor and history until the task changes.
  forget(): void {
    this.states.clear();
    this.shown = "";
  }

  show(name: string, text: string): void {
    if (this.shown !== "") this.states.set(this.shown, this.view.state);
    this.shown = name;
    const known = this.states.get(name);
    this.quiet = true;
    this.view.setState(known ?? this.stateOf(name, text));
    this.quiet = false;
  }

  private stateOf(name: string, text: string): EditorState {
    const label = EditorView.contentAttributes.of({
      "aria-label": `Text of ${clean(name)}`,
      tabindex: "0",
    });
    return EditorState.create({ doc: text, extensions: [...this.extensions, label] });
  }

  mark(remarks: Remark[]): void {
    const diagnostics: Diagnostic[] = remarks.map((r) => ({
      ...rangeOf(this.view.state.doc, r),
      severity: r.kind === "note" ? "info" : r.kind,
      message: clean(r.text),
    }));
    this.view.dispatch(setDiagnostics(this.view.state, diagnostics));
  }

  goTo(r: Remark): void {
    const { from } = rangeOf(this.view.state.doc, r);
    this.view.dispatch({ selection: { anchor: from }, scrollIntoView: true });
    this.view.focus();
  }
}
