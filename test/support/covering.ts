/** Scenarios that together have every sort of line of the golden texts: for tests that would only repeat themselves with the others. */
import { readFileSync } from 'node:fs';
import { goldenOf, shipped } from './shipped.ts';

const SORTS = {
  /** An operation with its kind. */
  operations: /(?<= )(?:create|update|patch|delete|apply) [A-Z]\w+/gm,
  /** The same; the word with which a sentence in its place begins; or who did something. */
  lines: /(?<= )(?:create|update|patch|delete|apply) [A-Z]\w+| {2}⟨[a-z]+|^\s*[\d.:hmsd]+ {2}[a-z-]+(?=[\s/-])/gm,
} as const;

const sortsIn = (text: string, sort: RegExp): ReadonlySet<string> =>
  new Set([...text.matchAll(sort)].map(([found]) => found.replace(/^\s*(?:[\d.:hmsd]+ {2})?/, '')));

/** Returns files of scenarios that cover all operations, or all lines, of one sort each; chosen greedily. */
export function covering(what: keyof typeof SORTS): readonly string[] {
  const files = [...new Set(shipped('scenarios').scenarios.map(({ file }) => file))];
  const sorts = new Map(files.map((file) => [file, sortsIn(readFileSync(goldenOf(file), 'utf8'), SORTS[what])]));
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
