/** The editor of scenarios: CodeMirror, with completions and descriptions from the engine. The entry point of a script of its own. */
import { closeBrackets, closeBracketsKeymap, completionKeymap, completionStatus } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { bracketMatching, indentOnInput, indentUnit } from '@codemirror/language';
import { lintGutter, lintKeymap, setDiagnostics, type Diagnostic } from '@codemirror/lint';
import { highlightSelectionMatches, openSearchPanel, search, searchKeymap, searchPanelOpen } from '@codemirror/search';
import { Compartment, EditorState, type Extension } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import type { PageProblem } from '../protocol.ts';
import { assistance } from './assistance.ts';
import type { CreateEditor, EditorOptions } from './contract.ts';
import { look } from './look.ts';

/** Milliseconds within which a second Escape leaves the editor. */
const TWICE = 1_200;

const create: CreateEditor = (options) => {
  // The policy of the page forbids styles that scripts add to the document; in a shadow tree they are objects, which it permits.
  const root = options.host.shadowRoot ?? options.host.attachShadow({ mode: 'open', delegatesFocus: true });
  const wrap = new Compartment();
  const view = new EditorView({
    parent: root,
    root,
    state: EditorState.create({ doc: options.text, extensions: [extensionsOf(options), wrap.of(EditorView.lineWrapping)] }),
  });
  return {
    setText(text) {
      if (view.state.doc.toString() !== text) view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
    },
    setProblems: (problems) => view.dispatch(setDiagnostics(view.state, diagnosticsOf(view.state, problems))),
    setWrap: (is) => view.dispatch({ effects: wrap.reconfigure(is ? EditorView.lineWrapping : []) }),
    goTo(line, col) {
      view.dispatch({
        selection: { anchor: offsetOf(view.state, line, col) },
        effects: EditorView.scrollIntoView(offsetOf(view.state, line, col), { y: 'center' }),
      });
      view.focus();
    },
    focus: () => view.focus(),
    find: () => void openSearchPanel(view),
    destroy: () => view.destroy(),
  };
};

function extensionsOf(options: EditorOptions): Extension {
  return [
    lineNumbers(),
    lintGutter(),
    history(),
    drawSelection(),
    indentOnInput(),
    indentUnit.of('  '),
    bracketMatching(),
    closeBrackets(),
    highlightActiveLine(),
    highlightSelectionMatches(),
    search({ top: true }),
    yaml(),
    assistance(options),
    look,
    EditorState.readOnly.of(options.readOnly),
    EditorView.contentAttributes.of({ 'aria-label': options.label, spellcheck: 'false', tabindex: '0' }),
    EditorView.updateListener.of(({ docChanged, state }) => {
      if (docChanged) options.change(state.doc.toString());
    }),
    keymap.of([
      { key: 'Mod-Enter', run: () => (options.run(), true), preventDefault: true },
      ...closeBracketsKeymap,
      ...completionKeymap,
      ...searchKeymap,
      ...historyKeymap,
      ...lintKeymap,
      leaving(options),
      ...defaultKeymap,
      indentWithTab,
    ]),
  ];
}

/** One Escape closes what is open, and the second leaves: Tab indents, so there must be a way out by keys. */
function leaving({ leave }: EditorOptions) {
  let last = -Infinity;
  return {
    key: 'Escape',
    run: (view: EditorView): boolean => {
      if (completionStatus(view.state) !== null || searchPanelOpen(view.state)) return false;
      const now = performance.now();
      if (now - last < TWICE) leave();
      last = now;
      return true;
    },
  };
}

function offsetOf({ doc }: EditorState, line: number, col: number): number {
  const at = doc.line(Math.max(1, Math.min(doc.lines, line)));
  return Math.min(at.to, at.from + Math.max(0, col - 1));
}

/** From its place to the end of the word there. */
const diagnosticsOf = (state: EditorState, problems: readonly PageProblem[]): readonly Diagnostic[] =>
  problems.map(({ line, col, message }) => {
    const from = offsetOf(state, line, col);
    const rest = state.doc.lineAt(from).text.slice(from - state.doc.lineAt(from).from);
    return { from, to: from + (/^[^\s:,{}[\]]+/.exec(rest)?.[0].length ?? 0), severity: 'error', message };
  });

globalThis.orchsimEditor = create;
