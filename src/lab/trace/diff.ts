/**
 * The differences between two revisions of an object, as paths with the values before and after. Shared subtrees are skipped by identity.
 */
import { isMapping } from '../../schema/values/index.ts';

/** A difference between two revisions of an object: a path with the values before and after. */
export interface PathChange {
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

type Mapping = Readonly<Record<string, unknown>>;
const MERGE_KEYS = ['name', 'type', 'uid', 'key'] as const;

const keyOfItem = (item: unknown): string | undefined => {
  if (!isMapping(item)) return undefined;
  for (const key of MERGE_KEYS) if (typeof item[key] === 'string') return item[key];
  return undefined;
};

/** Converts a list of uniquely keyed items to a mapping, so that one more condition is one addition. */
const keyed = (list: readonly unknown[]): Mapping | undefined => {
  const out: Record<string, unknown> = {};
  for (const item of list) {
    const key = keyOfItem(item);
    if (key === undefined || Object.hasOwn(out, key)) return undefined;
    out[key] = item;
  }
  return out;
};

/**
 * Returns the differences, in the order of the newer value's members. metadata.resourceVersion and managedFields are left out, because they
 * always differ.
 */
export function diffValues(before: unknown, after: unknown, path = ''): readonly PathChange[] {
  const changes: PathChange[] = [];
  walk(before, after, path, (change) => {
    changes.push(change);
    return true;
  });
  return changes;
}

/** Whether all differences satisfy a predicate; stops at the first that does not. */
export const differsOnlyIn = (before: unknown, after: unknown, isMeant: (change: PathChange) => boolean): boolean =>
  walk(before, after, '', isMeant);

/** Returns whether the comparison continues. */
type Visit = (change: PathChange) => boolean;

function walk(before: unknown, after: unknown, path: string, visit: Visit): boolean {
  if (before === after) return true;
  if (path === 'metadata.resourceVersion' || path === 'metadata.managedFields') return true;
  if (isMapping(before) && isMapping(after)) return walkMembers(before, after, (name) => (path === '' ? name : `${path}.${name}`), visit);
  if (Array.isArray(before) && Array.isArray(after)) {
    const b = keyed(before);
    const a = keyed(after);
    if (b !== undefined && a !== undefined) return walkMembers(b, a, (name) => `${path}[${name}]`, visit);
    if (JSON.stringify(before) === JSON.stringify(after)) return true;
  }
  // A list that is new is reported item by item, as its later additions are.
  const items = before === undefined && Array.isArray(after) ? keyed(after) : undefined;
  if (items !== undefined && Object.keys(items).length > 0) return walkMembers({}, items, (name) => `${path}[${name}]`, visit);
  return visit({ path, before, after });
}

const walkMembers = (before: Mapping, after: Mapping, pathOf: (name: string) => string, visit: Visit): boolean =>
  Object.keys(after).every((name) => before[name] === after[name] || walk(before[name], after[name], pathOf(name), visit)) &&
  Object.keys(before).every((name) => Object.hasOwn(after, name) || walk(before[name], undefined, pathOf(name), visit));

/** Returns the value at a path as `diffValues` writes it: `status.conditions[Complete].reason`. Keys may contain dots. */
export function valueAt(value: unknown, path: string): unknown {
  // The name of an item may contain dots.
  const steps = path.match(/\[[^\]]*\]|[^.[]+/g) ?? [];
  let found = value;
  for (let at = 0; at < steps.length;) {
    const item = /^\[(.*)\]$/.exec(steps[at] ?? '')?.[1];
    if (item !== undefined) {
      found = Array.isArray(found) ? found.find((each, index) => keyOfItem(each) === item || String(index) === item) : undefined;
      at++;
      continue;
    }
    const members = found;
    if (!isMapping(members)) return undefined;
    const taken = steps.slice(at).findIndex((_, more) => Object.hasOwn(members, steps.slice(at, at + more + 1).join('.')));
    if (taken < 0) return undefined;
    found = members[steps.slice(at, at + taken + 1).join('.')];
    at += taken + 1;
  }
  return found;
}
