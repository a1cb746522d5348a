/** Reads TypeScript well enough to judge it: code without comments and literals, the imports of a file, and where each stands. */

export interface SourceFile {
  /** From the project's root, with slashes: `src/apiserver/store/index.ts`. */
  readonly path: string;
  readonly text: string;
}

export interface Import {
  readonly specifier: string;
  readonly names: readonly string[];
  readonly line: number;
}

/** Words after which a slash begins a regular expression, not a division. */
const BEFORE_REGEX = new Set([
  'return',
  'typeof',
  'case',
  'in',
  'of',
  'do',
  'else',
  'throw',
  'void',
  'delete',
  'instanceof',
  'new',
  'yield',
  'await',
]);

/** What several checks ask of the same file. */
const known = new Map<string, string>();

/** The text with comments and the contents of literals blanked. Offsets and lines stay as they were. */
export function codeOf(text: string): string {
  const found = known.get(text);
  if (found !== undefined) return found;
  const code = blanked(text, { keepStrings: false });
  known.set(text, code);
  return code;
}

/** The text with comments blanked and, unless they are kept, the contents of literals too. Offsets and lines stay as they were. */
function blanked(text: string, options: { readonly keepStrings: boolean }): string {
  const out = Array.from({ length: text.length }, (_, at) => text.charAt(at));
  const blank = (from: number, to: number): void => {
    for (let i = from; i < to; i++) if (out[i] !== '\n') out[i] = ' ';
  };
  /** Depth of braces for each `${` that is open. */
  const templates: number[] = [];
  let i = 0;
  while (i < text.length) {
    const char = text.charAt(i);
    const two = text.slice(i, i + 2);
    if (two === '//' || two === '/*') i = comment(two);
    else if (char === "'" || char === '"') i = literal(i, closing(text, i + 1, char));
    else if (char === '`' || (char === '}' && templates.at(-1) === 0)) i = template(char);
    else if (char === '/' && startsRegex(text, i, out)) i = literal(i, closingRegex(text, i + 1));
    else {
      if (char === '{') deepen(1);
      if (char === '}') deepen(-1);
      i++;
    }
  }
  return out.join('');

  function comment(opening: string): number {
    const at = opening === '//' ? text.indexOf('\n', i) : text.indexOf('*/', i + 2);
    const end = at === -1 ? text.length : opening === '//' ? at : at + 2;
    blank(i, end);
    return end;
  }
  function literal(from: number, end: number): number {
    if (!options.keepStrings) blank(from + 1, end - 1);
    return end;
  }
  function template(char: string): number {
    if (char === '}') templates.pop();
    for (let at = i + 1; at < text.length; at++) {
      if (text.charAt(at) === '\\') at++;
      else if (text.charAt(at) === '`') return literal(i, at + 1);
      else if (text.startsWith('${', at)) {
        templates.push(0);
        return literal(i, at + 2);
      }
    }
    return text.length;
  }
  function deepen(by: number): void {
    const depth = templates.pop();
    if (depth !== undefined) templates.push(depth + by);
  }
}

const imported = new Map<string, readonly Import[]>();

/** Every static and dynamic import and re-export of a file. */
export function importsOf({ text }: SourceFile): readonly Import[] {
  const found = imported.get(text) ?? importsIn(text);
  imported.set(text, found);
  return found;
}

function importsIn(source: string): readonly Import[] {
  const code = codeOf(source);
  const lineOf = linesOf(source);
  const text = blanked(source, { keepStrings: true });
  const found: Import[] = [];
  for (const match of text.matchAll(/\b(?:import|export)\b((?:[^'"`;()]*?\bfrom)?)\s*\(?\s*(['"])([^'"\n]+)\2/g)) {
    // The keyword must stand in code, not inside a string.
    if (!/^(?:import|export)\b/.test(code.slice(match.index, match.index + 8))) continue;
    const names = [...(match[1] ?? '').matchAll(/\w+/g)].map(([name]) => name).filter((name) => !['from', 'type', 'as'].includes(name));
    found.push({ specifier: match[3] ?? '', names, line: lineOf(match.index) });
  }
  return found;
}

/** From 1, as editors count. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

/** The same for many offsets of one text. */
export function linesOf(text: string): (offset: number) => number {
  const ends = [...text.matchAll(/\n/g)].map(({ index }) => index);
  return (offset) => {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ends[middle] ?? Infinity) < offset) low = middle + 1;
      else high = middle;
    }
    return low + 1;
  };
}

export function lineCount(text: string): number {
  return text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
}

function closing(text: string, from: number, quote: string): number {
  for (let i = from; i < text.length; i++) {
    if (text.charAt(i) === '\\') i++;
    else if (text.charAt(i) === quote || text.charAt(i) === '\n') return i + 1;
  }
  return text.length;
}

function closingRegex(text: string, from: number): number {
  let inClass = false;
  for (let i = from; i < text.length; i++) {
    const char = text.charAt(i);
    if (char === '\\') i++;
    else if (char === '[') inClass = true;
    else if (char === ']') inClass = false;
    else if ((char === '/' && !inClass) || char === '\n') return i + 1;
  }
  return text.length;
}

function startsRegex(text: string, at: number, out: readonly string[]): boolean {
  let before = at - 1;
  while (before >= 0 && /\s/.test(out[before] ?? '')) before--;
  if (before < 0) return true;
  const char = text.charAt(before);
  if (!/[\w$)\]}'"`]/.test(char)) return true;
  const word = /[\w$]+$/.exec(text.slice(Math.max(0, before - 20), before + 1))?.[0];
  return word !== undefined && BEFORE_REGEX.has(word);
}
