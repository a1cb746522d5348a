// Collects the reasons that controllers give, by folder, from the sources. Coverage compares the reasons of runs with them.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

/** The places of a reason: first or second argument of a function that returns an outcome, or after `why`. */
const PLACES = /(?:\b(?:idle|done|write|writeStatus|wakeAt|record)\(\s*(?:[\w.()]+,\s*)?|\bwhy:\s*|\bwhy\.push\(\s*|\?\s*|:\s*)(?=['"`])/g;
/** A literal of a conditional counts only after these. */
const SURE = /(?:\($|,\s*$|why:\s*$|push\(\s*$|\(\s*$)/;

/** Returns the text of a literal at a position; `…` stands for interpolations. */
function literalAt(text, at) {
  const quote = text[at];
  let found = '';
  for (let i = at + 1; i < text.length; i++) {
    if (text[i] === quote) return { found, end: i + 1 };
    if (text[i] === '\\') found += text[++i];
    else if (quote === '`' && text[i] === '$' && text[i + 1] === '{') {
      let depth = 1;
      for (i += 2; depth > 0 && i < text.length; i++) depth += text[i] === '{' ? 1 : text[i] === '}' ? -1 : 0;
      i--;
      found += '…';
    } else if (text[i] === '\n' && quote !== '`') return undefined;
    else found += text[i];
  }
  return undefined;
}

/** Returns the reasons by the name of the folder: `job`, `scheduler`. */
export function branchesIn(root) {
  const branches = {};
  for (const group of ['controllers', 'agents']) {
    const folder = join(root, 'src/controlplane', group);
    for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
      if (!path.endsWith('.ts')) continue;
      const [name] = relative(folder, join(folder, path)).split(sep);
      const text = readFileSync(join(folder, path), 'utf8').replaceAll(/^\s*(?:\/\/|\*|\/\*).*$/gm, '');
      for (const place of text.matchAll(PLACES)) {
        if (!SURE.test(place[0])) continue;
        const literal = literalAt(text, place.index + place[0].length);
        // A reason has at least two words: single names and pure interpolations are skipped.
        if (literal === undefined || !/[a-z]+ [a-z…]+/.test(literal.found)) continue;
        (branches[name] ??= new Set()).add(literal.found);
      }
    }
  }
  return Object.fromEntries(Object.entries(branches).map(([name, found]) => [name, [...found].sort((a, b) => (a < b ? -1 : 1))]));
}
