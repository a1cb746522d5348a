/**
 * Restricts the cache that a controller reads to the kinds that it declares. The controllers of a process share its cache; a kind that only
 * another controller watches would be missing as soon as that one is left out.
 */
import type { CacheView, Controller } from '../../controlplane/runtime/index.ts';

/** A read of a kind that the controller does not watch. */
class UndeclaredRead extends Error {
  override readonly name = 'UndeclaredRead';
}

/** Returns a function that wraps a cache for the controller; it returns the same view for the same cache. */
export function declaredView(controller: Controller): (cache: CacheView) => CacheView {
  const { reconciles, watches = [], aggregates = [] } = controller;
  const declared = new Set([
    ...(reconciles === undefined ? [] : [reconciles]),
    ...watches.map(({ kind }) => kind),
    ...aggregates.map(({ kind }) => kind),
  ]);
  const check = (kind: string): void => {
    if (!declared.has(kind))
      throw new UndeclaredRead(`${controller.name} reads ${kind} and does not watch it: add watch('${kind}') to its watches`);
  };
  let of: CacheView | undefined;
  let view: CacheView | undefined;
  return (cache) => {
    if (view === undefined || of !== cache) {
      of = cache;
      view = viewOf(cache, declared, check);
    }
    return view;
  };
}

function viewOf(cache: CacheView, declared: ReadonlySet<string>, check: (kind: string) => void): CacheView {
  /** Wraps a method: its first argument, the kind, is checked before the call. */
  const checked =
    <A extends readonly unknown[], R>(read: (kind: never, ...rest: A) => R) =>
    (kind: string, ...rest: A): R => {
      check(kind);
      return read(kind as never, ...rest);
    };
  return {
    ...cache,
    get: checked(cache.get),
    byKey: checked(cache.byKey),
    by: checked(cache.by),
    countBy: checked(cache.countBy),
    controlledBy: checked(cache.controlledBy),
    list: checked(cache.list),
    size: checked(cache.size),
    kinds: () => cache.kinds().filter((kind) => declared.has(kind)),
  } as CacheView;
}
