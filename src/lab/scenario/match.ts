/**
 * Partial comparison: does an object have everything that a partial one says? Mappings may have more members. Lists may have more
 * items: items that are mappings are paired by their merge key (name, type, key, containerPort, ip, uid) where they have one, all
 * others with whichever item is like them, each at most once and in any order. A zero value (0, "", false, null, [], {}) is also
 * met by a member that is absent, because the API leaves zeros out.
 */
import { joinPath } from './problems.ts';

export interface Difference {
  readonly path: string;
  readonly expected: unknown;
  /** undefined: it is not there. */
  readonly found: unknown;
}

const MERGE_KEYS = ['name', 'type', 'key', 'containerPort', 'ip', 'uid'] as const;

type Mapping = Readonly<Record<string, unknown>>;
const isMapping = (value: unknown): value is Mapping => typeof value === 'object' && value !== null && !Array.isArray(value);

/** What differs; empty if it matches. Paths start below `path`. */
export function match(expected: unknown, found: unknown, path = ''): readonly Difference[] {
  const differences: Difference[] = [];
  compare(expected, found, path, differences);
  return differences;
}

/** The same question without the answer's detail: stops at the first difference. */
export function matches(expected: unknown, found: unknown): boolean {
  if (isMapping(expected)) {
    if (!isMapping(found)) return found === undefined && isZero(expected);
    for (const key of Object.keys(expected)) if (!matches(expected[key], memberOf(found, key))) return false;
    return true;
  }
  if (Array.isArray(expected)) {
    if (!Array.isArray(found)) return (found === undefined || found === null) && expected.length === 0;
    return expected.length === 0 ? found.length === 0 : pair(expected, found).every((partner) => partner !== undefined);
  }
  return expected === found || (isAbsent(found) && isZero(expected));
}

// Own members only: `constructor` is found in every object otherwise.
const memberOf = (object: Mapping, key: string): unknown => (Object.hasOwn(object, key) ? object[key] : undefined);
const isAbsent = (value: unknown) => value === undefined || value === null;

function isZero(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  if (isMapping(value)) return Object.keys(value).every((key) => isZero(value[key]));
  return value === 0 || value === '' || value === false || value === null || value === undefined;
}

function compare(expected: unknown, found: unknown, path: string, differences: Difference[]): void {
  if (matches(expected, found)) return;
  if (isMapping(expected) && isMapping(found)) {
    for (const key of Object.keys(expected)) compare(expected[key], memberOf(found, key), joinPath(path, key), differences);
  } else if (Array.isArray(expected) && Array.isArray(found) && expected.length > 0) {
    compareLists(expected, found, path, differences);
  } else {
    differences.push({ path, expected, found });
  }
}

function compareLists(expected: readonly unknown[], found: readonly unknown[], path: string, differences: Difference[]): void {
  const partners = pair(expected, found);
  const taken = new Set(partners);
  for (const [index, item] of expected.entries()) {
    if (partners[index] !== undefined) continue;
    const key = mergeKeyOf(item, found);
    const label = key === undefined ? joinPath(path, index) : `${path}[${key}=${String((item as Mapping)[key])}]`;
    const free = found.filter((other, at) => !taken.has(at) && (key === undefined || (isMapping(other) && other[key] === (item as Mapping)[key])));
    const nearest = isMapping(item) ? nearestOf(item, free, label) : undefined;
    if (nearest === undefined) differences.push({ path: label, expected: item, found: free.length === 1 && !isMapping(item) ? free[0] : undefined });
    else differences.push(...nearest);
  }
}

/** The differences to the item that has the fewest. */
function nearestOf(expected: Mapping, candidates: readonly unknown[], path: string): readonly Difference[] | undefined {
  let least: readonly Difference[] | undefined;
  for (const candidate of candidates.slice(0, CANDIDATES)) {
    if (!isMapping(candidate)) continue;
    const differences = match(expected, candidate, path);
    if (least === undefined || differences.length < least.length) least = differences;
  }
  return least;
}

const CANDIDATES = 100;

/** The member by which an item is recognised among others, if it has one and they have it too. */
function mergeKeyOf(item: unknown, others: readonly unknown[]): string | undefined {
  if (!isMapping(item)) return undefined;
  return MERGE_KEYS.find((key) => isScalar(memberOf(item, key)) && others.every((other) => isMapping(other) && isScalar(memberOf(other, key))));
}

const isScalar = (value: unknown) => typeof value === 'string' || typeof value === 'number';

/** For each expected item the index of the item it is paired with, or undefined; each used once. As many pairs as possible (augmenting paths). */
function pair(expected: readonly unknown[], found: readonly unknown[]): readonly (number | undefined)[] {
  const candidates = expected.map((item) => candidatesFor(item, found));
  const partnerOf: (number | undefined)[] = expected.map(() => undefined);
  const takenBy = new Map<number, number>();
  const settle = (index: number, tried: Set<number>): boolean => {
    for (const at of candidates[index] ?? []) {
      if (tried.has(at)) continue;
      tried.add(at);
      const holder = takenBy.get(at);
      if (holder !== undefined && !settle(holder, tried)) continue;
      takenBy.set(at, index);
      partnerOf[index] = at;
      return true;
    }
    return false;
  };
  for (const index of expected.keys()) settle(index, new Set());
  return partnerOf;
}

function candidatesFor(item: unknown, found: readonly unknown[]): readonly number[] {
  const key = mergeKeyOf(item, found);
  const fits: number[] = [];
  for (const [at, other] of found.entries()) {
    if (key !== undefined && (other as Mapping)[key] !== (item as Mapping)[key]) continue;
    if (Array.isArray(item) || isMapping(item) ? matches(item, other) : item === other) fits.push(at);
  }
  return fits;
}
