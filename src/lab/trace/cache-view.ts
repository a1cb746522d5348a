/**
 * What a decision's process saw against what was: the objects that the decision concerns, as its cache held them and as the server did,
 * where the two differ, since when, and what made it so: old lists, slow or cut connections. What was written at the very instant of the
 * decision is no staleness, and neither are renewals that nobody is told of.
 */
import { type ApiObject, keyOf } from '../../apiserver/machinery/index.ts';
import { cursorAt, type World } from './cursor.ts';
import { reasonsFor, type Reason, type Unseen } from './staleness.ts';
import { entryAt, stepOf, type Entry, type Trace } from './trace.ts';
import { viewAt, type View } from './views.ts';

type WriteEntry = Extract<Entry, { readonly type: 'write' }>;
type Decision = Extract<Entry, { readonly type: 'reconcile' }>;

/** What a decision saw of the world beside what was so, and what kept it from seeing. */
export interface CacheView {
  /** Of the decision. */
  readonly step: number;
  readonly process: string;
  readonly controller: string;
  /** The objects that the decision concerns and that were not as it saw them; empty: it saw what was. */
  readonly unseen: readonly Unseen[];
  readonly reasons: readonly Reason[];
}

/** The decision that a step is, or carries out; undefined where nobody inside decided. */
function decisionAt(trace: Trace, step: number): { readonly step: number; readonly entry: Decision } | undefined {
  const entry = entryAt(trace, step);
  if (entry?.type === 'reconcile') return { step, entry };
  if (entry?.type !== 'write' && entry?.type !== 'refusal') return undefined;
  for (const id of entry.causes) {
    const at = stepOf(trace, id);
    const cause = at === undefined ? undefined : entryAt(trace, at);
    if (at !== undefined && cause?.type === 'reconcile') return { step: at, entry: cause };
  }
  return undefined;
}

/** What the decision behind a step saw; undefined where there is no decision, or the trace does not say what its process listed. */
export function cacheViewOf(trace: Trace, step: number): CacheView | undefined {
  const decision = decisionAt(trace, step);
  if (decision === undefined) return undefined;
  const { process, controller, at } = decision.entry;
  const view = viewAt(trace, process, decision.step);
  if (view.kinds().length === 0) return undefined;
  const server = cursorAt(trace, decision.step);
  const writes = writesBefore(trace, decision.step);
  const unseen: Unseen[] = [];
  for (const [place, { kind, key }] of concerned(trace, decision, view, server)) {
    const saw = view.byKey(kind, key);
    const was = server.byKey(kind, key);
    const found = compare(kind, key, saw, was, view, writes.get(place) ?? []);
    if (found !== undefined && found.since < at) unseen.push(found);
  }
  const reasons = unseen.length === 0 ? [] : reasonsFor(trace, decision.step, process, unseen);
  return { step: decision.step, process, controller, unseen, reasons };
}

interface Place {
  readonly kind: string;
  readonly key: string;
}

function writesBefore(trace: Trace, step: number): ReadonlyMap<string, readonly WriteEntry[]> {
  const writes = new Map<string, WriteEntry[]>();
  const note = (entry: Entry): void => {
    if (entry.type !== 'write') return;
    const place = placeOf(entry.change);
    const list = writes.get(place);
    if (list === undefined) writes.set(place, [entry]);
    else list.push(entry);
  };
  trace.prologue.forEach(note);
  for (let at = 0; at < step; at++) {
    const entry = trace.entries[at];
    if (entry !== undefined) note(entry);
  }
  return writes;
}

const placeOf = ({ kind, key }: Place): string => `${kind} ${key}`;

function compare(
  kind: string,
  key: string,
  saw: ApiObject | undefined,
  was: ApiObject | undefined,
  view: View,
  writes: readonly WriteEntry[],
): Unseen | undefined {
  const seen = Number(saw?.metadata.resourceVersion ?? 0);
  const first = writes.find(({ change: { revision, type } }) =>
    saw === undefined ? type === 'ADDED' && revision === lastBirth(writes) : revision > seen,
  );
  if (first === undefined) return undefined;
  const found = { kind, key, since: first.at, revision: first.change.revision };
  if (saw === undefined) return was === undefined || !view.follows(kind, was) ? undefined : { ...found, how: 'missing', was };
  return was === undefined ? { ...found, how: 'gone', saw } : { ...found, how: 'older', saw, was };
}

/** The revision at which the object that is there was created: namesakes may have come before it. */
const lastBirth = (writes: readonly WriteEntry[]): number | undefined =>
  writes.findLast(({ change: { type } }) => type === 'ADDED')?.change.revision;

/**
 * The objects that a decision concerns: its key's, what that one owns and names, and what the decision wrote. Of a controller without a
 * kind of its own, whatever it follows.
 */
function concerned(
  trace: Trace,
  { step, entry: { id, controller, key } }: { readonly step: number; readonly entry: Decision },
  view: View,
  server: World,
): ReadonlyMap<string, Place> {
  const places = new Map<string, Place>();
  const add = (kind: string, object: ApiObject): void => {
    const place = { kind, key: keyOf(object) };
    places.set(placeOf(place), place);
  };
  const { reconciles } = view.controllers().find(({ name }) => name === controller) ?? {};
  const both = (kind: string): readonly ApiObject[] => [...view.list(kind), ...server.list(kind)];
  if (reconciles === undefined) {
    for (const kind of view.kinds()) if (kind !== 'Event') for (const object of both(kind)) add(kind, object);
    return places;
  }
  const selves = [view.byKey(reconciles, key), server.byKey(reconciles, key)].filter((object) => object !== undefined);
  for (const self of selves) add(reconciles, self);
  const uids = new Set(selves.map(({ metadata }) => metadata.uid));
  const names = new Set(selves.flatMap(namesIn));
  for (const kind of view.kinds())
    for (const object of both(kind))
      if (isOwned(object, uids) || names.has(`${kind} ${object.metadata.name}`) || namesIn(object).includes(`${reconciles} ${key}`))
        add(kind, object);
  for (let at = step; at < trace.entries.length; at++) {
    const entry = trace.entries[at];
    if (entry?.type !== 'write' || !entry.causes.includes(id)) continue;
    add(entry.change.kind, entry.change.object);
  }
  return places;
}

const isOwned = ({ metadata: { ownerReferences = [] } }: ApiObject, uids: ReadonlySet<string>): boolean =>
  ownerReferences.some(({ uid }) => uids.has(uid));

const record = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Readonly<Record<string, unknown>>) : {};
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The objects that an object names, by kind and name: its node, its claims, its volume; a node's lease bears its name. */
function namesIn(object: ApiObject): readonly string[] {
  const spec = record(object['spec']);
  const claims = list(spec['volumes']).map((volume) => record(record(volume)['persistentVolumeClaim'])['claimName']);
  return [
    ...(object.kind === 'Node' ? [`Lease ${object.metadata.name}`] : []),
    ...(typeof spec['nodeName'] === 'string' && spec['nodeName'] !== '' ? [`Node ${spec['nodeName']}`] : []),
    ...(typeof spec['volumeName'] === 'string' ? [`PersistentVolume ${spec['volumeName']}`] : []),
    ...claims.flatMap((claim) => (typeof claim === 'string' ? [`PersistentVolumeClaim ${claim}`] : [])),
  ];
}
