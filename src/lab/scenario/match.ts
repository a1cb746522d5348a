/**
 * Partial comparison: whether an object contains all that a partial one has, and why no object does. Mappings may have more members. Lists may
 * have more items: mappings in lists are paired by their merge key (name, type, key, containerPort, ip, uid) where they have one, other items
 * with any equal item, each at most once and in any order. A zero value (0, "", false, null, [], {}) also matches an absent member, because the
 * API omits zeros.
 */
import { isMapping, keptIn, pushTo } from '../../schema/values/index.ts';
import { joinPath } from '../../schema/yaml/index.ts';
import type { Manifest } from './values.ts';

export interface Difference {
  readonly path: string;
  readonly expected: unknown;
  /** undefined: it is absent. */
  readonly found: unknown;
}

const MERGE_KEYS = ['name', 'type', 'key', 'containerPort', 'ip', 'uid'] as const;

type Mapping = Readonly<Record<string, unknown>>;

/** Returns the differences; empty: it matches. Paths start below `path`. */
export function match(expected: unknown, found: unknown, path = ''): readonly Difference[] {
  const differences: Difference[] = [];
  compare(expected, found, path, differences);
  return differences;
}

/** Whether it matches; stops at the first difference. */
export function matches(expected: unknown, found: unknown): boolean {
  if (isMapping(expected)) {
    if (!isMapping(found)) return found === undefined && isZero(expected);
    for (const key of Object.keys(expected)) if (!matches(expected[key], memberOf(found, key))) return false;
    return true;
  }
  if (Array.isArray(expected)) {
    if (!Array.isArray(found)) return isAbsent(found) && expected.length === 0;
    return expected.length === 0 ? found.length === 0 : pair(expected, found).every((partner) => partner !== undefined);
  }
  return expected === found || (isAbsent(found) && isZero(expected));
}

// Own members only, because every object inherits `constructor`.
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
  const shared = sharedKeys(found);
  for (const [index, item] of expected.entries()) {
    if (partners[index] !== undefined) continue;
    const key = mergeKeyOf(item, shared);
    const label = key === undefined ? joinPath(path, index) : `${path}[${key}=${String((item as Mapping)[key])}]`;
    const free = found.filter(
      (other, at) => !taken.has(at) && (key === undefined || (isMapping(other) && other[key] === (item as Mapping)[key])),
    );
    const nearest = isMapping(item) ? nearestOf(item, free, label) : undefined;
    if (nearest === undefined)
      differences.push({ path: label, expected: item, found: free.length === 1 && !isMapping(item) ? free[0] : undefined });
    else differences.push(...nearest);
  }
}

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

/** Returns the merge keys that every item of a list has; computed once for each list, because lists may be long. */
const sharedKeys = (items: readonly unknown[]): readonly string[] =>
  MERGE_KEYS.filter((key) => items.every((item) => isMapping(item) && isScalar(memberOf(item, key))));

/** Returns the merge key of an item, if all other items have it too. */
const mergeKeyOf = (item: unknown, shared: readonly string[]): string | undefined =>
  isMapping(item) ? shared.find((key) => isScalar(memberOf(item, key))) : undefined;

const isScalar = (value: unknown) => typeof value === 'string' || typeof value === 'number';

/**
 * Pairs items: returns the index of the partner of each expected item, or undefined. Each is used once, and the number of pairs is maximal.
 */
function pair(expected: readonly unknown[], found: readonly unknown[]): readonly (number | undefined)[] {
  const byValue = indexBy(found, (item) => (isComposite(item) ? undefined : item));
  const byKey = new Map<string, Map<unknown, number[]>>();
  const shared = expected.some(isComposite) ? sharedKeys(found) : [];
  const partnerOf: (number | undefined)[] = [];
  const composites: number[] = [];
  const candidates: (readonly number[])[] = [];
  for (const [index, item] of expected.entries()) {
    partnerOf.push(byValue.get(item)?.shift());
    if (isComposite(item)) composites.push(index);
    candidates.push(isComposite(item) ? likely(item, found, shared, byKey).filter((at) => matches(item, found[at])) : []);
  }
  augment(composites, candidates, partnerOf);
  return partnerOf;
}

const isComposite = (value: unknown) => typeof value === 'object' && value !== null;

/** Returns the candidates of an item: those with the same merge key, or all. */
function likely(
  item: unknown,
  found: readonly unknown[],
  shared: readonly string[],
  byKey: Map<string, Map<unknown, number[]>>,
): readonly number[] {
  const key = mergeKeyOf(item, shared);
  if (key === undefined) return [...found.keys()];
  const index = keptIn(byKey, key, () => indexBy(found, (other) => (other as Mapping)[key]));
  return index.get((item as Mapping)[key]) ?? [];
}

function indexBy(items: readonly unknown[], keyOf: (item: unknown) => unknown): Map<unknown, number[]> {
  const index = new Map<unknown, number[]>();
  for (const [at, item] of items.entries()) pushTo(index, keyOf(item), at);
  return index;
}

/**
 * Finds a partner for each item; earlier ones move to other candidates where that frees one (bipartite matching), because a greedy choice
 * would miss pairs.
 */
function augment(items: readonly number[], candidates: readonly (readonly number[])[], partnerOf: (number | undefined)[]): void {
  const takenBy = new Map<number, number>();
  const settle = (index: number, tried: Set<number>): boolean => {
    const mine = candidates[index] ?? [];
    const free = mine.find((at) => !takenBy.has(at));
    const chosen = free ?? mine.find((at) => !tried.has(at) && tried.add(at) && settle(takenBy.get(at) ?? index, tried));
    if (chosen === undefined) return false;
    takenBy.set(chosen, index);
    partnerOf[index] = chosen;
    return true;
  };
  for (const index of items) settle(index, new Set());
}

interface Named {
  readonly metadata?: { readonly name?: unknown; readonly namespace?: unknown };
}

export interface Mismatch {
  readonly nearest?: object;
  readonly differences: readonly Difference[];
  readonly text: string;
}

/** Explains a mismatch. Candidates are the objects of the expected kind; of equally near ones the first is chosen. */
export function explainMismatch(expected: Manifest, candidates: readonly object[]): Mismatch {
  const kind = expected.kind ?? 'object';
  let nearest: object | undefined;
  let differences: readonly Difference[] = [];
  let best = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    const found = kind === 'Secret' ? match(expected, candidate).map(hidden) : match(expected, candidate);
    const distance = found.reduce((sum, { path }) => sum + weight(path), 0);
    if (distance >= best) continue;
    [nearest, differences, best] = [candidate, found, distance];
  }
  if (nearest === undefined) return { differences: [], text: `there is no ${kind} at all` };
  if (differences.length === 0) return { nearest, differences, text: `${kind} ${nameOf(nearest)} matches` };
  return { nearest, differences, text: `no ${kind} matches; nearest is ${kind} ${nameOf(nearest)}:\n${formatDifferences(differences)}` };
}

/** Removes values of Secrets from reports: only the difference itself is reported. */
const hidden = (difference: Difference): Difference =>
  /^(?:data|stringData)\b/.test(difference.path)
    ? { ...difference, expected: HIDDEN, ...(difference.found === undefined ? {} : { found: HIDDEN }) }
    : difference;

const HIDDEN = '<redacted>';

/** An object with another name is rarely the intended one, so differences in name and namespace weigh most. */
const weight = (path: string) => (path === 'metadata.name' || path === 'metadata.namespace' ? 1_000 : 1);

function nameOf(object: Named): string {
  const { name, namespace } = object.metadata ?? {};
  return namespace === undefined ? String(name) : `${String(namespace)}/${String(name)}`;
}

const LINES = 20;

function formatDifferences(differences: readonly Difference[]): string {
  const shown = differences
    .slice(0, LINES)
    .map(({ path, expected, found }) => [path, show(expected), found === undefined ? 'nothing' : show(found)] as const);
  const widths = [0, 1].map((column) => Math.min(50, Math.max(...shown.map((cells) => cells[column as 0 | 1].length))));
  const lines = shown.map(
    ([path, expected, found]) => `  ${path.padEnd(widths[0] ?? 0)}  expected ${expected.padEnd(widths[1] ?? 0)}  found ${found}`,
  );
  if (differences.length > LINES) lines.push(`  and ${differences.length - LINES} more`);
  return lines.join('\n');
}

const LONGEST = 80;

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
