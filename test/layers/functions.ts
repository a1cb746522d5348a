/** Where the functions of a file stand and how long they are, nested ones for themselves and as part of what holds them. */
import { codeOf, lineAt, type SourceFile } from './source.ts';

export interface FunctionFound {
  /** As its declaration, member or variable says; `(callback)` where nothing names it. */
  readonly name: string;
  /** The line on which its body begins. */
  readonly line: number;
  /** From the line of the body's first brace to that of its last, blank and comment lines included. */
  readonly lines: number;
}

/** Words before a parenthesis and a brace that make no function. */
const STATEMENTS: ReadonlySet<string> = new Set(['if', 'for', 'while', 'switch', 'catch', 'await', 'with']);

interface Parens {
  readonly open: number;
  readonly close: number;
}

interface Scan {
  readonly code: string;
  /** For each bracket, the offset of its other half. */
  readonly other: ReadonlyMap<number, number>;
  /** For each offset of a brace or an arrow, the last pair of parentheses that was closed beside it. */
  readonly before: ReadonlyMap<number, Parens>;
}

/** Every function of a file that has a body. */
export function functionsOf({ text }: SourceFile): FunctionFound[] {
  const code = codeOf(text);
  const scan = scanned(code);
  return [...scan.before.keys()].flatMap((at) => {
    const body = code.charAt(at) === '{' ? blockBody(scan, at) : arrowBody(scan, at);
    if (body === undefined) return [];
    const line = lineAt(text, body.from);
    return [{ name: nameOf(scan, at), line, lines: lineAt(text, body.to) - line + 1 }];
  });
}

function scanned(code: string): Scan {
  const other = new Map<number, number>();
  const before = new Map<number, Parens>();
  const open: number[] = [];
  /** By depth. */
  const last: (Parens | undefined)[] = [];
  const none: Parens = { open: -1, close: -1 };
  for (let at = 0; at < code.length; at++) {
    const char = code.charAt(at);
    if (char === '{' || (char === '=' && code.charAt(at + 1) === '>')) before.set(at, last[open.length] ?? none);
    if (char === '(' || char === '[' || char === '{') {
      open.push(at);
      last[open.length] = undefined;
    } else if (char === ')' || char === ']' || char === '}') {
      const begin = open.pop() ?? -1;
      other.set(begin, at);
      if (char === ')') last[open.length] = { open: begin, close: at };
    }
  }
  return { code, other, before };
}

interface Body {
  readonly from: number;
  readonly to: number;
}

/** The body of a declaration, a method, a getter: a brace after parentheses, with or without a type between them. */
function blockBody({ code, other, before }: Scan, at: number): Body | undefined {
  const parens = before.get(at);
  if (parens === undefined || parens.open < 0) return undefined;
  const between = code.slice(parens.close + 1, at);
  if (!/^\s*$|^\s*:[^;]*[^\s:|&<,=>(]\s*$|^\s*:[^;]*[^=]>\s*$/.test(between)) return undefined;
  if (STATEMENTS.has(/(\w+)\s*$/.exec(code.slice(0, parens.open))?.[1] ?? '')) return undefined;
  return { from: at, to: other.get(at) ?? at };
}

/** What follows an arrow: a block, or an expression up to what ends it. */
function arrowBody({ code, other }: Scan, at: number): Body {
  let from = at + 2;
  while (/\s/.test(code.charAt(from))) from++;
  if (code.charAt(from) === '{') return { from, to: other.get(from) ?? from };
  let to = from;
  // A brace after a word is no expression: the arrow was that of a type, and a body follows.
  while (to < code.length && !/[,;)\]}]/.test(code.charAt(to)) && !(code.charAt(to) === '{' && /[\w\]]\s*$/.test(code.slice(to - 2, to))))
    to = (other.get(to) ?? to) + 1;
  return { from, to: to - 1 };
}

/** `function name(`, `name(`, `name: (…) =>`, `const name = (…) =>`. */
function nameOf({ code, before }: Scan, at: number): string {
  const parens = before.get(at);
  const head = code.slice(0, parens === undefined || parens.open < 0 ? at : parens.open);
  const line = head.slice(Math.max(0, head.length - 300));
  if (code.charAt(at) === '{') return /([\w$#]+)\s*(?:<[^()]*>)?\s*$/.exec(line)?.[1] ?? '(callback)';
  return /([\w$#]+)\s*(?::[^=;(){}]*)?[=:]\s*(?:async\s*)?(?:<[^()]*>\s*)?$/.exec(line)?.[1] ?? '(callback)';
}
