/**
 * What happens to objects, in words without what is drawn: names, uids, times. Two clusters that do the same say the same, in another order at
 * most. Counts that pass through many values (status.replicas and so on) are left out: how controllers batch is chance.
 */
import { isMapping } from '../../../schema/values/index.ts';

/** The parts of an object, or of a partial one from a log, that are read here; all of it may be of any type. */
export interface Factual {
  readonly kind?: unknown;
  readonly metadata?: unknown;
  readonly spec?: unknown;
  readonly status?: unknown;
}

/** Kinds that beat, or that repeat what others say. */
export const LEFT_OUT: ReadonlySet<string> = new Set(['Event', 'Lease', 'Endpoints', 'EndpointSlice', 'ControllerRevision', 'APIService']);

/** Nodes exist before a run begins, whenever their agents registered them. */
const ALWAYS_THERE: ReadonlySet<string> = new Set(['Node', 'CSINode']);

const PHASES: ReadonlySet<string> = new Set(['Pod', 'PersistentVolumeClaim', 'PersistentVolume']);

/** The conditions that count, by kind. */
const CONDITIONS: Readonly<Record<string, readonly string[] | undefined>> = {
  Pod: ['Ready', 'PodScheduled'],
  Job: ['Complete', 'Failed', 'Suspended'],
  Deployment: ['Available', 'ReplicaFailure'],
  ReplicaSet: ['ReplicaFailure'],
  Node: ['Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure'],
};

const membersOf = (value: unknown): Readonly<Record<string, unknown>> => (isMapping(value) ? value : {});
const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

interface Owner {
  readonly kind: string;
  readonly name: string;
}

function controllerIn(metadata: Readonly<Record<string, unknown>>): Owner | undefined {
  const owners = Array.isArray(metadata['ownerReferences']) ? (metadata['ownerReferences'] as readonly unknown[]) : [];
  const { kind, name } = membersOf(owners.find((each) => membersOf(each)['controller'] === true));
  return typeof kind === 'string' && typeof name === 'string' ? { kind, name } : undefined;
}

const HASH_LABEL = 'pod-template-hash';

/** `Pod of Job default/pi`, `Pod of ReplicaSet default/web-*`, `Job default/pi`, `Node node-1`; undefined: it has no name. */
export function subjectOf(kind: string, object: Factual): string | undefined {
  const metadata = membersOf(object.metadata);
  const namespace = textOf(metadata['namespace']);
  const where = namespace === undefined ? '' : `${namespace}/`;
  const owner = controllerIn(metadata);
  if (owner !== undefined) {
    const hash = textOf(membersOf(metadata['labels'])[HASH_LABEL]);
    const name = hash !== undefined && owner.name.endsWith(`-${hash}`) ? `${owner.name.slice(0, -hash.length)}*` : owner.name;
    return `${kind} of ${owner.kind} ${where}${name}`;
  }
  const prefix = textOf(metadata['generateName']);
  const name = prefix === undefined ? textOf(metadata['name']) : `${prefix}*`;
  return name === undefined ? undefined : `${kind} ${where}${name}`;
}

/** What is known of an object, by the word for it. */
export type Facts = ReadonlyMap<string, string>;

/** Returns what an object says of itself; a partial one says less. */
export function factsOf(kind: string, { metadata, spec, status }: Factual): Facts {
  const facts = new Map<string, string>();
  const { phase, conditions } = membersOf(status);
  const { nodeName, replicas } = membersOf(spec);
  if (membersOf(metadata)['deletionTimestamp'] !== undefined) facts.set('deleted', '');
  if (kind === 'Pod' && textOf(nodeName) !== undefined) facts.set('bound to', String(nodeName));
  if (PHASES.has(kind) && textOf(phase) !== undefined) facts.set('phase', String(phase));
  if (typeof replicas === 'number' && controllerIn(membersOf(metadata)) === undefined) facts.set('replicas', String(replicas));
  const counted = Object.hasOwn(CONDITIONS, kind) ? (CONDITIONS[kind] ?? []) : [];
  for (const condition of Array.isArray(conditions) ? (conditions as readonly unknown[]) : []) {
    const { type, status: is } = membersOf(condition);
    if (typeof type === 'string' && typeof is === 'string' && counted.includes(type)) facts.set(type, is);
  }
  return facts;
}

const NONE: Facts = new Map();

/** A condition that begins false says nothing, but that a pod cannot be scheduled. */
const countsAsNew = (what: string, before: string | undefined, is: string): boolean =>
  before !== is && (before !== undefined || is !== 'False' || what === 'PodScheduled') && !(what === 'PodScheduled' && is === 'True');

const FIRST_PHASE = 'Pending';

/** What has become true of an object since it was known last; `before` undefined: it is new. */
export function newFacts(kind: string, before: Facts | undefined, now: Facts): readonly string[] {
  const known = before ?? NONE;
  const news = before === undefined && !ALWAYS_THERE.has(kind) ? ['created'] : [];
  for (const [what, is] of now) {
    if (!countsAsNew(what, known.get(what), is) || (what === 'phase' && is === FIRST_PHASE)) continue;
    if (what === 'replicas' && !known.has(what)) continue;
    news.push(is === '' ? what : `${what} ${is}`);
  }
  return news;
}
