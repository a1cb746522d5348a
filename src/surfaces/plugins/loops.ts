/**
 * Instruments the code of a plugin. Every loop gets a counter: a loop with more than a million iterations is reported as endless, with its
 * place, because the command would never end. Iterations are counted and no time is measured, so that a run ends at the same iteration on
 * every machine. An asynchronous function reports that it was entered, because a decision must not start one.
 */
import type * as Acorn from 'acorn';

/** Name of the function that an asynchronous function calls first. */
export const ENTERED = '__entered';

/** More iterations than any valid loop needs: a cluster has at most 150,000 objects. */
const MOST_TURNS = 1_000_000;

/** Name of the function that instrumented code calls in an endless loop. */
export const ENDLESS = '__endless';

/** Throws the error about an endless loop. */
export function endless(): never {
  const error = new Error(`a loop was still running after a million iterations`);
  error.name = 'EndlessLoop';
  throw error;
}

const LOOPS: ReadonlySet<string> = new Set(['WhileStatement', 'DoWhileStatement', 'ForStatement', 'ForInStatement', 'ForOfStatement']);

interface Insert {
  readonly at: number;
  readonly text: string;
}

/** Returns the code with a counter in every loop and a call in every asynchronous function. Line numbers stay the same. */
export function watched(code: string, { parse }: typeof Acorn): string {
  const opening: Insert[] = [];
  const closing: Insert[] = [];
  // Outer nodes first: of two that begin at the same place, the outer one gets its text first.
  const left: { readonly node: Acorn.AnyNode; readonly from: number; readonly to: number }[] = [];
  const program = parse(code, { ecmaVersion: 'latest', sourceType: 'script', allowReturnOutsideFunction: true });
  left.push({ node: program, from: program.start, to: program.end });
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { node, from, to } = next;
    if (isLoop(node)) {
      const counter = `__turns${opening.length}`;
      opening.push({ at: from, text: `{let ${counter}=0;` });
      closing.push({ at: to, text: '}' });
      const { body } = node;
      const count = `if(++${counter}>${MOST_TURNS})${ENDLESS}();`;
      if (body.type === 'BlockStatement') opening.push({ at: body.start + 1, text: count });
      else {
        opening.push({ at: body.start, text: `{${count}` });
        closing.push({ at: body.end, text: '}' });
      }
    }
    if (isAsync(node)) enter(node, opening, closing);
    // `continue label` requires the loop directly after its label, so the counter stands before the label.
    const labelled = node.type === 'LabeledStatement';
    for (const inner of childrenOf(node).reverse())
      left.push({ node: inner, ...(labelled ? { from, to } : { from: inner.start, to: inner.end }) });
  }
  return woven(code, opening, closing);
}

const isLoop = (node: Acorn.AnyNode): node is Extract<Acorn.AnyNode, { body: Acorn.Statement; type: `${string}Statement` }> =>
  LOOPS.has(node.type);

type AsyncFunction = Acorn.Function | Acorn.ArrowFunctionExpression;
const FUNCTIONS: ReadonlySet<string> = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);
const isAsync = (node: Acorn.AnyNode): node is AsyncFunction & Acorn.AnyNode => FUNCTIONS.has(node.type) && 'async' in node && node.async;

function enter({ body }: AsyncFunction, opening: Insert[], closing: Insert[]): void {
  if (body.type === 'BlockStatement') opening.push({ at: body.start + 1, text: `${ENTERED}();` });
  else {
    opening.push({ at: body.start, text: `(${ENTERED}(),` });
    closing.push({ at: body.end, text: ')' });
  }
}

const isNode = (value: unknown): value is Acorn.AnyNode =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string' && 'start' in value;

const childrenOf = (node: Acorn.AnyNode): Acorn.AnyNode[] =>
  Object.values(node)
    .flatMap((value: unknown) => (Array.isArray(value) ? (value as readonly unknown[]) : [value]))
    .filter(isNode);

/** Encloses inserted text in marks, so that columns of the output can be mapped to columns of the input. */
const marked = (text: string): string => `/*<*/${text}/*>*/`;

function woven(code: string, opening: readonly Insert[], closing: readonly Insert[]): string {
  const byPlace = new Map<number, { ends: string; begins: string }>();
  const at = (place: number): { ends: string; begins: string } => {
    let found = byPlace.get(place);
    if (found === undefined) byPlace.set(place, (found = { ends: '', begins: '' }));
    return found;
  };
  for (const { at: place, text } of opening) at(place).begins += marked(text);
  for (const { at: place, text } of closing) at(place).ends = marked(text) + at(place).ends;
  let done = 0;
  let out = '';
  for (const [place, { ends, begins }] of [...byPlace].sort(([a], [b]) => a - b)) {
    out += code.slice(done, place) + ends + begins;
    done = place;
  }
  return out + code.slice(done);
}

/** Maps a column of instrumented code to the column of the original. */
export function columnBefore(line: string, column: number): number {
  return line
    .slice(0, column)
    .replaceAll(/\/\*<\*\/.*?\/\*>\*\//g, '')
    .replace(/\/\*<\*\/.*$/, '').length;
}
