/**
 * The objects at a step of a trace. A cursor moves forwards and backwards over the writes; revisions are references, so moving copies
 * nothing.
 */
import type { ObjectNamed } from '../../apiserver/kinds/index.ts';
import { type ApiObject, storeKey } from '../../apiserver/machinery/index.ts';
import { compareText, keptIn } from '../../schema/values/index.ts';
import { renewalIntervalsOf } from './renewal-intervals.ts';
import type { Entry, Trace } from './trace.ts';
import { accessors } from '../../engine/index.ts';

const withStepAt = accessors('step', 'at');

/** The objects that exist at one moment. */
export interface World {
  readonly step: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  get<K extends string>(kind: K, namespace: string | undefined, name: string): ObjectNamed<K> | undefined;
  /** The object by its store key: `namespace/name`, or the name alone. */
  byKey<K extends string>(kind: K, key: string): ObjectNamed<K> | undefined;
  list<K extends string>(kind: K, namespace?: string): readonly ObjectNamed<K>[];
  kinds(): readonly string[];
}

/** The objects at one step of a trace; the step can be changed. */
export interface Cursor extends World {
  /**
   * Moves to a step (0 is the start); a step out of range is replaced by the nearest valid one. `at`: a later instant before the next step.
   */
  moveTo(step: number, at?: number): void;
}

/** Objects by kind and key. */
export type Tables = Map<string, Map<string, ApiObject>>;

/** Sets an object in its table, or removes it. */
export function put(tables: Tables, kind: string, key: string, object: ApiObject | undefined): void {
  const table = keptIn(tables, kind, () => new Map<string, ApiObject>());
  if (object === undefined) table.delete(key);
  else table.set(key, object);
}

/** Returns a cursor at a step. `at`: a later instant before the next step; elided lease renewals up to it are visible. */
export function cursorAt(trace: Trace, step: number, at?: number): Cursor {
  const renewalIntervals = renewalIntervalsOf(trace);
  const tables: Tables = new Map();
  const redo = (entry: Entry | undefined): void => {
    if (entry?.type !== 'write') return;
    const { kind, key, type, object } = entry.change;
    put(tables, kind, key, type === 'DELETED' ? undefined : object);
  };
  const undo = (entry: Entry | undefined): void => {
    if (entry?.type === 'write') put(tables, entry.change.kind, entry.change.key, entry.change.previous);
  };
  for (const entry of trace.prologue) redo(entry);
  let here = 0;
  let asked: number | undefined;
  const instant = (): number => Math.max(trace.entries[here - 1]?.at ?? trace.startAt, asked ?? -Infinity);
  const moveTo = (to: number, at?: number): void => {
    const target = Math.max(0, Math.min(to, trace.entries.length));
    while (here < target) redo(trace.entries[here++]);
    while (here > target) undo(trace.entries[--here]);
    asked = at;
  };
  const byKey = <K extends string>(kind: K, key: string): ObjectNamed<K> | undefined => {
    const written = tables.get(kind)?.get(key);
    return (written && renewalIntervals.objectAt(kind, key, written, instant())) as ObjectNamed<K> | undefined;
  };
  moveTo(step, at);
  return withStepAt(
    {
      step: () => here,
      at: () => instant(),
    },
    {
      byKey,
      get: (kind, namespace, name) => byKey(kind, storeKey(namespace, name)),
      list<K extends string>(kind: K, namespace?: string) {
        const found: ApiObject[] = [];
        for (const [key, object] of tables.get(kind) ?? [])
          if (namespace === undefined || object.metadata.namespace === namespace)
            found.push(renewalIntervals.objectAt(kind, key, object, instant()));
        return found.sort(byAge) as ObjectNamed<K>[];
      },
      kinds: () => [...tables.keys()].filter((kind) => (tables.get(kind)?.size ?? 0) > 0),
      moveTo,
    },
  );
}

/** Undoing a deletion inserts the object at the end of its table, so the order of creation is restored by timestamp and name. */
function byAge({ metadata: a }: ApiObject, { metadata: b }: ApiObject): number {
  return compareText(a.creationTimestamp, b.creationTimestamp) || compareText(a.name, b.name);
}
