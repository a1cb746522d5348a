/**
 * Windows of a trace. The entries before a window are replaced by the fewest entries that produce the same objects and the same caches at
 * each of its steps.
 */
import { type ApiObject, keyOf } from '../../apiserver/machinery/index.ts';
import { cursorAt } from './cursor.ts';
import { goesOn, type Transition } from './entries.ts';
import type { Entry, Trace } from './trace.ts';
import { viewAt, viewsOf } from './views.ts';

type Write = Extract<Entry, { type: 'write' }>;

/** Returns the entries of steps `from + 1` to `to`. The step of an entry in the window is its step in the trace minus `from`. */
export function windowOf(trace: Trace, from: number, to: number): Trace {
  const first = Math.max(0, Math.min(from, trace.entries.length));
  const entries = trace.entries.slice(first, Math.max(first, to));
  if (first === 0) return { ...trace, entries };
  const { narrationSteps, ...rest } = trace;
  const inside = narrationSteps
    ?.filter(({ traceStep }) => traceStep > first && traceStep <= to)
    .map((narrationStep) => ({ ...narrationStep, traceStep: narrationStep.traceStep - first }));
  return { ...rest, prologue: prologueOf(trace, first), entries, ...(inside === undefined ? {} : { narrationSteps: inside }) };
}

/**
 * Returns the entries that stand for a trace up to a step: the writes of all objects that the server or a cache still holds, and for each
 * process its transitions and its cache.
 */
function prologueOf(trace: Trace, step: number): readonly Entry[] {
  const before = [...trace.prologue, ...trace.entries.slice(0, step)];
  const world = cursorAt(trace, step);
  const caches = viewsOf({ ...trace, entries: trace.entries.slice(0, step) }).map((process) => cacheOf(trace, process, step));
  const needed = new Set<string>();
  const need = (kind: string, object: ApiObject): void => {
    needed.add(idOf(kind, keyOf(object), object.metadata.resourceVersion));
  };
  for (const kind of world.kinds()) for (const object of world.list(kind)) need(kind, object);
  for (const { objects } of caches) for (const { kind, object } of objects) need(kind, object);
  const writes = writesNeeded(before, needed);
  const at = before.at(-1)?.at ?? trace.startAt;
  const id = before.at(-1)?.id ?? 0;
  return [
    ...writes,
    ...caches.flatMap(({ process, objects }) => [...transitionsOf(before, process), ...deliveriesOf(process, objects, id, at)]),
  ];
}

const idOf = (kind: string, key: string, revision: string | number): string => `${kind} ${key} ${revision}`;

interface CacheThen {
  readonly process: string;
  readonly objects: readonly { readonly kind: string; readonly object: ApiObject }[];
}

function cacheOf(trace: Trace, process: string, step: number): CacheThen {
  const view = viewAt(trace, process, step);
  return { process, objects: view.kinds().flatMap((kind) => view.list(kind).map((object) => ({ kind, object }))) };
}

/**
 * The needed writes, in their order. The last write of an object is included where no holder has its revision: its lease was renewed
 * without an entry, or the object is deleted and still in a cache.
 */
function writesNeeded(before: readonly Entry[], needed: ReadonlySet<string>): readonly Entry[] {
  const last = new Map<string, Write>();
  const seen = new Set<string>();
  for (const entry of before) {
    if (entry.type !== 'write') continue;
    const { kind, key, revision } = entry.change;
    last.set(`${kind} ${key}`, entry);
    if (needed.has(idOf(kind, key, revision))) seen.add(`${kind} ${key}`);
  }
  const reported = new Map<string, ApiObject>();
  return before.flatMap((entry): readonly Entry[] => {
    if (entry.type !== 'write') return [];
    const { kind, key, revision, type, object } = entry.change;
    const place = `${kind} ${key}`;
    const isLast = last.get(place) === entry && (type !== 'DELETED' || seen.has(place));
    if (!isLast && !needed.has(idOf(kind, key, revision))) return [];
    const previous = reported.get(place);
    reported.set(place, object);
    const { previous: _, ...change } = entry.change;
    return [
      {
        ...entry,
        causes: [],
        change: previous === undefined ? { ...change, type: type === 'DELETED' ? type : 'ADDED' } : { ...change, previous },
      },
    ];
  });
}

/** The last transitions of a process. Their lists are empty (revision 0), because each object of the cache gets a delivery. */
function transitionsOf(before: readonly Entry[], process: string): readonly Transition[] {
  const transitions = before.filter((entry): entry is Transition => entry.type === 'process' && entry.process === process);
  const since = transitions.findLastIndex((each) => !goesOn(each));
  return transitions.slice(Math.max(0, since)).map(({ lists, ...transition }) => ({
    ...transition,
    causes: [],
    ...(lists === undefined ? {} : { lists: { ...lists, revision: 0 } }),
  }));
}

const deliveriesOf = (process: string, objects: CacheThen['objects'], id: number, at: number): readonly Entry[] =>
  objects.map(({ kind, object }) => ({
    id,
    at,
    causes: [],
    type: 'delivery',
    process,
    delta: 'ADDED',
    kind,
    key: keyOf(object),
    revision: Number(object.metadata.resourceVersion),
  }));
