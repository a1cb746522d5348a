/** What a controller may read and return: kinds that it declares, and an outcome whose writes are possible. */
import type { KindRegistry } from '../../apiserver/kinds/index.ts';
import type { CacheView, Controller, Write } from '../../controlplane/runtime/index.ts';
import { didYouMean, isMapping } from '../../schema/values/index.ts';

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

const WANTED = "expected { why, writes } (idle('…'), wakeAt(t, '…') and write('…', …) make them)";

const shown = (value: unknown): string =>
  value === undefined
    ? 'nothing'
    : value === null
      ? 'null'
      : Array.isArray(value)
        ? 'a list'
        : typeof value === 'object'
          ? 'an object'
          : (JSON.stringify(value) ?? typeof value);

export interface Judged {
  readonly kinds: KindRegistry;
  /** The kinds that the controller says it may write. */
  readonly writes: readonly string[];
  /** The process's clock at the decision, milliseconds since the epoch. */
  readonly now: number;
}

/** Returns what is wrong with an outcome; undefined: it is valid. */
export function outcomeProblem(outcome: unknown, { kinds, writes: declared, now }: Judged): string | undefined {
  if (!isMapping(outcome)) return `answered ${shown(outcome)}: ${WANTED}`;
  if ('then' in outcome)
    return `answered later: a decision is made at once, from what the cache holds (a write marked resume asks the server)`;
  const { why, writes, wakeAt } = outcome;
  if (typeof why !== 'string' || why.trim() === '') return `gave no why: expected one sentence, found ${shown(why)}`;
  if (!Array.isArray(writes)) return `answered writes that are ${shown(writes)}: ${WANTED}`;
  if (wakeAt !== undefined && !Number.isFinite(wakeAt)) return `wants to wake at ${String(wakeAt)}: expected milliseconds since the epoch`;
  if (typeof wakeAt === 'number' && wakeAt <= now)
    return `answered a wakeAt that is ${wakeAt === now ? 'now' : `${now - wakeAt} ms in the past`}: expected an instant later than input.now`;
  for (const [at, each] of writes.entries()) {
    const problem = writeProblem(each, kinds, declared);
    if (problem !== undefined) return `write ${at + 1} of "${why}" ${problem}`;
  }
  return undefined;
}

const OPS: readonly string[] = [
  'create',
  'update',
  'patch',
  'delete',
  'deleteCollection',
  'get',
  'list',
  'post',
  'check',
  'event',
] satisfies readonly Write['op'][];

/** Operations in the third person, where an s is not enough. */
const SAID: Readonly<Record<string, string>> = { post: 'writes', patch: 'patches' };
const READS: ReadonlySet<string> = new Set(['get', 'check', 'list']);

function writeProblem(given: unknown, kinds: KindRegistry, declared: readonly string[]): string | undefined {
  if (typeof given !== 'object' || given === null || !('op' in given))
    return `is ${shown(given)}: create(…), update(…), remove(…) make writes`;
  const { op, object, kind } = given as { readonly op: unknown; readonly object?: unknown; readonly kind?: unknown };
  if (typeof op !== 'string' || !OPS.includes(op)) return `has op ${shown(op)}: expected one of ${OPS.join(', ')}`;
  if (op === 'event') return undefined;
  const withObject = op === 'create' || op === 'update';
  if (withObject && !isObject(object)) return `${op}s what is no object with kind and metadata`;
  const of = withObject && isObject(object) ? object.kind : kind;
  if (typeof of === 'string' && kinds.byKind(of) !== undefined)
    return READS.has(op) || declared.includes(of) || of === 'Event'
      ? undefined
      : `${SAID[op] ?? `${op}s`} ${of}, which it does not declare: add '${of}' to its writes`;
  const known = kinds.list().map((each) => each.kind);
  return `is of a kind that does not exist: ${shown(of)}${typeof of === 'string' ? didYouMean(of, known) : ''}`;
}

const isObject = (value: unknown): value is { readonly kind: unknown } =>
  typeof value === 'object' &&
  value !== null &&
  'kind' in value &&
  'metadata' in value &&
  typeof value.metadata === 'object' &&
  value.metadata !== null;
