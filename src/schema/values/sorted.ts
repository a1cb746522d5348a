/**
 * Sorting that comes out the same on every host. Some of upstream's comparisons are no order (A goes before B, B before C, C before A), and
 * what becomes of such a list is up to the algorithm: engines have different ones, and change theirs from version to version.
 */

/** A list this long is sorted by insertion alone. */
const SHORT = 64;

type Compare<T> = (a: T, b: T) => number;

/** A new list, stable: insertion for short ones, and longer ones merged from halves. `compare`: negative, `a` goes before `b`. */
export function sortedBy<T>(list: readonly T[], compare: Compare<T>): T[] {
  if (list.length < SHORT) return inserted([...list], compare);
  const half = list.length >> 1;
  return merged(sortedBy(list.slice(0, half), compare), sortedBy(list.slice(half), compare), compare);
}

/** What is in order from the start is left there, what is the wrong way round is turned; the rest goes in place one by one. */
function inserted<T>(list: T[], compare: Compare<T>): T[] {
  for (let at = runAtStart(list, compare); at < list.length; at++) {
    const [each] = list.splice(at, 1) as [T];
    let [from, to] = [0, at];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (compare(each, list[middle] as T) < 0) to = middle;
      else from = middle + 1;
    }
    list.splice(from, 0, each);
  }
  return list;
}

/** How many stand in order at the start, after those that stand the wrong way round have been turned. */
function runAtStart<T>(list: T[], compare: Compare<T>): number {
  if (list.length < 2) return list.length;
  const goesBefore = (at: number): boolean => compare(list[at] as T, list[at - 1] as T) < 0;
  const turned = goesBefore(1);
  let end = 2;
  while (end < list.length && goesBefore(end) === turned) end++;
  if (turned) list.splice(0, end, ...list.slice(0, end).toReversed());
  return end;
}

function merged<T>(left: readonly T[], right: readonly T[], compare: Compare<T>): T[] {
  const all: T[] = [];
  let [at, beside] = [0, 0];
  while (at < left.length && beside < right.length)
    all.push((compare(right[beside] as T, left[at] as T) < 0 ? right[beside++] : left[at++]) as T);
  return all.concat(left.slice(at), right.slice(beside));
}

/** Index of the first of ascending numbers that is not below one; their count where all are. A binary search. */
export function placeAmong(ascending: readonly number[], wanted: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] ?? Infinity) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}
