/**
 * Code of a user with what has to be known of it while it runs. Loops are counted: one that goes round a million times is reported as
 * endless, where it stands, in place of a command that never answers. Turns are counted and no time is measured, so that the same run ends
 * at the same turn on every machine. Asynchronous functions say that they were entered: a decision must not start one.
 */
import type * as Acorn from 'acorn';

/** What an asynchronous function calls first. */
export const ENTERED = '__entered';

/** More turns than anything in a world could ask for: it holds 150,000 objects. */
const MOST_TURNS = 1_000_000;

/** What the counted code calls when a loop has no end. */
export const ENDLESS = '__endless';
export function endless(): never {
  const error = new Error(`a loop was still going after a million turns`);
  error.name = 'EndlessLoop';
  throw error;
}

const LOOPS: ReadonlySet<string> = new Set(['WhileStatement', 'DoWhileStatement', 'ForStatement', 'ForInStatement', 'ForOfStatement']);

interface Insert {
  readonly at: number;
  readonly text: string;
}

/** The same code, its lines as they were, with a counter in every loop and a call in every asynchronous function. */
export function watched(code: string, { parse }: typeof Acorn): string {
  const opening: Insert[] = [];
  const closing: Insert[] = [];
  // From the outside in, so that of two that begin at one place the outer one comes first.
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
    // `continue label` wants its loop right behind the label, so the counter goes before the label.
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

/** Marks, so that a column in what came out can be told as one of what went in. */
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

/** The column that a column of counted code had before. */
export function columnBefore(line: string, column: number): number {
  return line
    .slice(0, column)
    .replaceAll(/\/\*<\*\/.*?\/\*>\*\//g, '')
    .replace(/\/\*<\*\/.*$/, '').length;
}
