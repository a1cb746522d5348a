/** Colours and sizes of the editor: those of the page, by its variables, in both themes. */
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

const MONO = "'JetBrains Mono', ui-monospace, Menlo, Consolas, monospace";
const BOX = {
  border: '1px solid var(--line)',
  borderRadius: '8px',
  background: 'var(--panel)',
  color: 'var(--ink)',
  boxShadow: 'var(--shadow)',
};

export const look = [
  EditorView.theme({
    '&': { height: '100%', color: 'var(--ink)', backgroundColor: 'var(--paper)', fontSize: '14px' },
    '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-2px' },
    '.cm-scroller': { fontFamily: MONO, lineHeight: '20px' },
    '.cm-content': { caretColor: 'var(--ink)', paddingBottom: '60px' },
    '.cm-cursor': { borderLeftColor: 'var(--ink)' },
    '.cm-gutters': { backgroundColor: 'var(--paper)', color: 'var(--soft)', border: 'none' },
    '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'color-mix(in srgb, var(--accent) 7%, transparent)' },
    '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
      background: 'color-mix(in srgb, var(--accent) 28%, transparent)',
    },
    '.cm-selectionMatch': { backgroundColor: 'color-mix(in srgb, var(--accent) 14%, transparent)' },
    '.cm-searchMatch': { backgroundColor: 'color-mix(in srgb, var(--stale) 30%, transparent)', outline: '1px solid var(--stale)' },
    '.cm-matchingBracket': { backgroundColor: 'transparent', outline: '1px solid var(--accent)' },
    '.cm-tooltip': { ...BOX, fontSize: '14px' },
    '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: MONO },
    '.cm-tooltip-autocomplete > ul > li[aria-selected]': { background: 'var(--accent-soft)', color: 'var(--accent)' },
    '.cm-completionDetail': { fontStyle: 'normal', color: 'var(--soft)' },
    '.cm-completionInfo, .says, .cm-diagnostic': { maxWidth: '46ch', padding: '6px 10px', overflowWrap: 'anywhere', fontFamily: 'inherit' },
    // Pictures as addresses are not within the policy of the page.
    '.cm-lint-marker-error': { content: 'normal', borderRadius: '50%', background: 'var(--failed)', width: '10px', height: '10px' },
    '.cm-diagnostic-error': { borderLeftColor: 'var(--failed)' },
    '.cm-lintRange-error': {
      backgroundImage: 'none',
      textDecoration: 'underline wavy var(--failed)',
      textUnderlineOffset: '3px',
      backgroundColor: 'color-mix(in srgb, var(--failed) 12%, transparent)',
    },
    '.cm-panels': { backgroundColor: 'var(--panel)', color: 'var(--ink)', borderColor: 'var(--line)' },
    '.cm-panel.cm-search': { fontSize: '14px' },
    '.cm-panel.cm-search label': { fontSize: '14px' },
    '.cm-textfield, .cm-button': {
      border: '1px solid var(--line)',
      borderRadius: '5px',
      background: 'var(--paper)',
      color: 'var(--ink)',
      fontSize: '14px',
    },
  }),
  syntaxHighlighting(
    HighlightStyle.define([
      { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--accent)' },
      { tag: [tags.string, tags.special(tags.string)], color: 'var(--good-ink)' },
      { tag: [tags.number, tags.bool, tags.null, tags.keyword], color: 'var(--starting-ink)' },
      { tag: tags.comment, color: 'var(--soft)', fontStyle: 'italic' },
    ]),
  ),
];
