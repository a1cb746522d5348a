/** Completions while typing, and the description of what is under the pointer. Both are the engine's, which knows the schemas. */
import { autocompletion, type CompletionContext, type CompletionResult } from '@codemirror/autocomplete';
import type { EditorState, Extension } from '@codemirror/state';
import { hoverTooltip } from '@codemirror/view';
import type { EditorOptions } from './contract.ts';

export const assistance = ({ assist }: EditorOptions): Extension => [
  autocompletion({
    icons: false,
    override: [
      async (context: CompletionContext): Promise<CompletionResult | null> => {
        const { line, col, from: begins } = placeOf(context.state, context.pos);
        const answer = await assist(context.state.doc.toString(), line, col);
        if (answer === undefined || answer.suggestions.length === 0) return null;
        // Automatically only after something was typed.
        if (!context.explicit && answer.from === col) return null;
        return {
          from: begins + answer.from - 1,
          filter: false,
          options: answer.suggestions.map(({ name, says, required }) => ({
            label: name,
            ...(says === '' ? {} : { info: says }),
            ...(required ? { detail: 'needed' } : {}),
          })),
        };
      },
    ],
  }),
  hoverTooltip(
    async ({ state }, pos) => {
      const { line, col, from } = placeOf(state, pos);
      const answer = await assist(state.doc.toString(), line, col + 1);
      if (answer?.hover === undefined) return null;
      const { text } = state.doc.line(line);
      const before = /[\w./-]*$/.exec(text.slice(0, col - 1))?.[0].length ?? 0;
      const after = /^[\w./-]*/.exec(text.slice(col - 1))?.[0].length ?? 0;
      const dom = document.createElement('div');
      dom.className = 'says';
      dom.textContent = answer.hover;
      return { pos: from + col - 1 - before, end: from + col - 1 + after, above: true, create: () => ({ dom }) };
    },
    { hoverTime: 250 },
  ),
];

/** Line and column from 1, and the offset of the line. */
function placeOf({ doc }: EditorState, pos: number): { readonly line: number; readonly col: number; readonly from: number } {
  const line = doc.lineAt(pos);
  return { line: line.number, col: pos - line.from + 1, from: line.from };
}
