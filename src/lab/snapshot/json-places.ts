/** Places in a JSON text, found again only for messages: where a value ends, and where the items of its list `items` begin. */
import { bisect } from '../../schema/values/index.ts';

/**
 * Scans the value that begins with a brace at an offset. `end`: the offset after it; undefined: the text ends within it. `items`: the beginnings
 * of the items of its member `items`. The text need not be valid: only strings and brackets are told apart.
 */
export function offsetsIn(text: string, start: number): { readonly end?: number; readonly items: readonly number[] } {
  const items: number[] = [];
  const mark = /["{}[\]]/g;
  mark.lastIndex = start;
  let depth = 0;
  let inItems = false;
  let lastText = '';
  for (let found = mark.exec(text); found !== null; found = mark.exec(text)) {
    const at = found.index;
    switch (found[0]) {
      case '"': {
        const end = endOfString(text, at);
        if (end === undefined) return { items };
        if (depth === 1) lastText = text.slice(at + 1, end - 1);
        mark.lastIndex = end;
        break;
      }
      case '{':
        if (inItems && depth === 2) items.push(at);
        depth++;
        break;
      case '[':
        if (depth === 1 && lastText === 'items') inItems = true;
        depth++;
        break;
      default:
        depth--;
        if (depth === 1) inItems = false;
        if (depth === 0) return { end: at + 1, items };
    }
  }
  return { items };
}

/** The offset after the string that begins at an offset; undefined: the text ends within it. */
function endOfString(text: string, start: number): number | undefined {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text[at - 1 - slashes] === '\\') slashes++;
    if (slashes % 2 === 0) return at + 1;
  }
  return undefined;
}

/** Returns a function that finds the line and column of an offset, from 1; the lines are counted once. */
export function linesOf(text: string): (offset: number) => { readonly line: number; readonly col: number } {
  let begins: number[] | undefined;
  return (offset) => {
    begins ??= beginningsIn(text);
    const line = bisect(begins, (begin) => begin <= offset);
    return { line, col: offset - (begins[line - 1] ?? 0) + 1 };
  };
}

function beginningsIn(text: string): number[] {
  const begins = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) begins.push(at + 1);
  return begins;
}
