/**
 * A stretch of a trace that stands alone: what came before it is put in as few entries as say the same, so that the world, and what each
 * process saw of it, are the same at each of its steps as in the whole.
 */
import { type ApiObject, keyOf } from '../../apiserver/machinery/index.ts';
import { cursorAt } from './cursor.ts';
import type { Entry, Trace } from './trace.ts';
import { viewAt, viewsOf } from './views.ts';

type Write = Extract<Entry, { type: 'write' }>;
type Turn = Extract<Entry, { type: 'process' }>;

/** The entries of steps `from + 1` to `to`; their step in the window is their step in the trace less `from`. */
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

/** What is needed of a trace up to a step: the writes whose objects somebody still has, and for each process its turn and its cache. */
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
  return [...writes, ...caches.flatMap(({ process, objects }) => [...turnsOf(before, process), ...deliveriesOf(process, objects, id, at)])];
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
 * In their order. An object whose last write is of a revision that nobody has (its lease is renewed unseen, or it is gone while a cache
 * still holds it) is told by that last write as well.
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

/** What a process was last told to do. Its lists are of a time before all: what it saw is delivered to it one by one. */
function turnsOf(before: readonly Entry[], process: string): readonly Turn[] {
  const turns = before.filter((entry): entry is Turn => entry.type === 'process' && entry.process === process);
  const since = turns.findLastIndex(({ what }) => what !== 'leads');
  return turns
    .slice(Math.max(0, since))
    .map(({ lists, ...turn }) => ({ ...turn, causes: [], ...(lists === undefined ? {} : { lists: { ...lists, revision: 0 } }) }));
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
