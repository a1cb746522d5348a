/** The nearest correct name for a wrong one: the source of every "did you mean". */
import { compareText } from './bytes.ts';

/** Damerau-Levenshtein distance (neighbouring letters may swap), where a difference in case costs half; it stops counting above `limit`. */
export function editDistance(from: string, to: string, limit = Number.POSITIVE_INFINITY): number {
  if (Math.abs(from.length - to.length) > limit) return limit + 1;
  let before: number[] = [];
  let last: number[] = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let i = 1; i <= from.length; i++) {
    const row = [i];
    let best = i;
    for (let j = 1; j <= to.length; j++) {
      const a = from.charAt(i - 1);
      const b = to.charAt(j - 1);
      const change = a === b ? 0 : a.toLowerCase() === b.toLowerCase() ? 0.5 : 1;
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + change);
      if (i > 1 && j > 1 && a === to.charAt(j - 2) && from.charAt(i - 2) === b) cost = Math.min(cost, (before[j - 2] ?? 0) + 1);
      row.push(cost);
      best = Math.min(best, cost);
    }
    if (best > limit) return limit + 1;
    before = last;
    last = row;
  }
  return last[to.length] ?? 0;
}

/**
 * Returns the candidate nearest to `word`; undefined: none is near enough. Near enough is about one wrong letter in three, or a name cut
 * short (`backoff` for `backoffLimit`). Among equally near ones the first in byte order wins, whatever their order.
 */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  let found: string | undefined;
  let started: string | undefined;
  let least = Math.max(1, Math.floor(word.length / 3));
  for (const candidate of candidates) {
    if (candidate === word) return candidate;
    if (sharesStart(word, candidate) && (started === undefined || compareText(candidate, started) < 0)) started = candidate;
    const distance = editDistance(word, candidate, least);
    if (distance > least) continue;
    if (found === undefined || distance < least || compareText(candidate, found) < 0) found = candidate;
    least = distance;
  }
  return found ?? started;
}

const SHORTEST_START = 3;

function sharesStart(word: string, candidate: string): boolean {
  const [short, long] = word.length < candidate.length ? [word, candidate] : [candidate, word];
  return short.length >= SHORTEST_START && long.toLowerCase().startsWith(short.toLowerCase());
}

/** Returns `; did you mean "x"?` to append to an error text, or an empty text. */
export function didYouMean(word: string, candidates: Iterable<string>): string {
  const name = nearest(word, candidates);
  return name === undefined ? '' : `; did you mean ${JSON.stringify(name)}?`;
}

/** `1 node`, `2 nodes`. */
export const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
