/** Scenarios that together have every sort of line of the golden texts: for tests that would only repeat themselves with the others. */
import { readFileSync } from 'node:fs';
import { goldenOf, shipped } from './shipped.ts';

/** An operation with its kind; the word with which a sentence in its place begins; or who did something. */
const SORT = /(?<= )(?:create|update|patch|delete|apply) [A-Z]\w+| {2}⟨[a-z]+|^\s*[\d.:hmsd]+ {2}[a-z-]+(?=[\s/-])/gm;

const sortsIn = (text: string): ReadonlySet<string> => new Set([...text.matchAll(SORT)].map(([sort]) => sort.replace(/^.* /, '')));

/** Returns files of scenarios that cover all sorts of lines, chosen greedily. */
export function covering(): readonly string[] {
  const files = [...new Set(shipped('scenarios').scenarios.map(({ file }) => file))];
  const sorts = new Map(files.map((file) => [file, sortsIn(readFileSync(goldenOf(file), 'utf8'))]));
  const missing = new Set([...sorts.values()].flatMap((of) => [...of]));
  const gain = (file: string): number => [...(sorts.get(file) ?? [])].filter((sort) => missing.has(sort)).length;
  const chosen: string[] = [];
  while (missing.size > 0) {
    const best = files.reduce((best, file) => (gain(file) > gain(best) ? file : best));
    chosen.push(best);
    for (const sort of sorts.get(best) ?? []) missing.delete(sort);
  }
  return chosen;
}
