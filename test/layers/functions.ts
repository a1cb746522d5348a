/** Where the functions of a file stand and how long they are, nested ones for themselves and as part of what holds them. */
import { codeOf, linesOf, type SourceFile } from './source.ts';

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
  const lineOf = linesOf(text);
  return [...scan.before.keys()].flatMap((at) => {
    const isBlock = code.charAt(at) === '{';
    const parameters = isBlock ? parametersOf(scan, at) : scan.before.get(at);
    if (parameters === undefined) return [];
    const body = isBlock ? { from: at, to: scan.other.get(at) ?? at } : arrowBody(scan, at);
    const line = lineOf(body.from);
    return [{ name: nameOf(code, at, parameters), line, lines: lineOf(body.to) - line + 1 }];
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
      other.set(at, begin);
      if (char === ')') last[open.length] = { open: begin, close: at };
    }
  }
  return { code, other, before };
}

interface Body {
  readonly from: number;
  readonly to: number;
}

/** The parameters of a declaration, a method, a getter: parentheses before a brace, with or without a type between them. */
function parametersOf({ code, other, before }: Scan, at: number): Parens | undefined {
  let parens = before.get(at);
  if (parens === undefined || parens.open < 0) return undefined;
  // A type that is a function has parentheses of its own, after those of the parameters.
  const type = /^\s*=>/.test(code.slice(parens.close + 1, at)) ? /\)\s*:\s*$/.exec(code.slice(0, parens.open)) : null;
  if (type !== null) parens = { open: other.get(type.index) ?? -1, close: type.index };
  const between = code.slice(parens.close + 1, at);
  if (!/^\s*$|^\s*:[^;]*[^\s:|&<,=>(]\s*$|^\s*:[^;]*[^=]>\s*$/.test(between)) return undefined;
  return STATEMENTS.has(/(\w+)\s*$/.exec(headOf(code, parens.open))?.[1] ?? '') ? undefined : parens;
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
function nameOf(code: string, at: number, { open }: Parens): string {
  const head = headOf(code, open < 0 ? at : open);
  const pattern =
    code.charAt(at) === '{' ? /([\w$#]+)\s*(?:<[^()]*>)?\s*$/ : /([\w$#]+)\s*(?::[^=;(){}]*)?[=:]\s*(?:async\s*)?(?:<[^()]*>\s*)?$/;
  return pattern.exec(head)?.[1] ?? '(callback)';
}

/** As much of what stands before as a name and its type take. */
const headOf = (code: string, at: number): string => code.slice(Math.max(0, at - 300), at);
