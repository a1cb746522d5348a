// The sentences that our controllers give as reasons, by folder, as they stand in the sources: what a run's reasons are counted against.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

/** Where a reason stands: first or second in what says an outcome, or behind `why`. */
const PLACES =
  /(?:\b(?:idle|nobody|write|writeStatus|wakeAt|record)\(\s*(?:[\w.()]+,\s*)?|\bwhy:\s*|\bwhy\.push\(\s*|\?\s*|:\s*)(?=['"`])/g;
/** Where a sentence that is chosen between two stands counts only behind these. */
const SURE = /(?:\($|,\s*$|why:\s*$|push\(\s*$|\(\s*$)/;

/** The text of a literal that begins at a place; `…` stands for what is put in. */
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

/** By the name of the folder: `job`, `scheduler`. */
export function branchesIn(root) {
  const branches = {};
  for (const group of ['controllers', 'agents']) {
    const folder = join(root, 'src/controlplane', group);
    for (const path of readdirSync(folder, { recursive: true }).sort()) {
      if (!path.endsWith('.ts')) continue;
      const [name] = relative(folder, join(folder, path)).split(sep);
      const text = readFileSync(join(folder, path), 'utf8').replaceAll(/^\s*(?:\/\/|\*|\/\*).*$/gm, '');
      for (const place of text.matchAll(PLACES)) {
        if (!SURE.test(place[0])) continue;
        const literal = literalAt(text, place.index + place[0].length);
        // A sentence has words; a lone name or one that is all put in is none.
        if (literal === undefined || !/[a-z]+ [a-z…]+/.test(literal.found)) continue;
        (branches[name] ??= new Set()).add(literal.found);
      }
    }
  }
  return Object.fromEntries(Object.entries(branches).map(([name, found]) => [name, [...found].sort((a, b) => (a < b ? -1 : 1))]));
}
