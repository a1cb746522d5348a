/** A multi-valued index over objects: value → keys in order of insertion. An update costs nothing when the indexed values do not change. */
import type { ApiObject } from '../machinery/index.ts';
import type { IndexRule } from './indexes.ts';

type Values = readonly string[] | string | undefined;

export interface Index {
  update(key: string, before: ApiObject | undefined, after: ApiObject | undefined): void;
  /** Returns the keys with this value, oldest first. */
  keys(value: string): Iterable<string>;
  count(value: string): number;
  clear(): void;
}

const NONE: ReadonlySet<string> = new Set();

const same = (a: Values, b: Values): boolean =>
  a === b || (Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((value, i) => value === b[i]));

/** Returns an empty index by a rule. */
export function createIndex({ values: valuesOf, source }: IndexRule): Index {
  const byValue = new Map<string, Set<string>>();
  const add = (value: string, key: string): void => {
    const keys = byValue.get(value);
    if (keys === undefined) byValue.set(value, new Set([key]));
    else keys.add(key);
  };
  const drop = (value: string, key: string): void => {
    const keys = byValue.get(value);
    if (keys?.delete(key) === true && keys.size === 0) byValue.delete(value);
  };
  const each = (values: Values, act: (value: string) => void): void => {
    if (values === undefined) return;
    if (typeof values === 'string') act(values);
    else for (const value of values) act(value);
  };
  return {
    update(key, before, after) {
      if (before !== undefined && after !== undefined && source(before) === source(after)) return;
      const was = before === undefined ? undefined : valuesOf(before);
      const is = after === undefined ? undefined : valuesOf(after);
      if (same(was, is)) return;
      each(was, (value) => drop(value, key));
      each(is, (value) => add(value, key));
    },
    keys: (value) => byValue.get(value) ?? NONE,
    count: (value) => byValue.get(value)?.size ?? 0,
    clear: () => byValue.clear(),
  };
}
