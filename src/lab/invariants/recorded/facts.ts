/**
 * What happens to objects, in words without what is drawn: names, uids, times. A drawn name is that of its prefix, an owned object is one of
 * its owner. Two clusters that do the same say the same, in another order at most. Counts that pass through many values (status.replicas and
 * so on) are left out: how controllers batch is chance.
 */
import { membersOf } from '../../../schema/values/index.ts';

export interface Identity {
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  /** `metadata.generateName`. */
  readonly prefix: string | undefined;
  /** Its controller. */
  readonly owner: { readonly kind: string; readonly name: string } | undefined;
  /** The hash of the template, which ends the name of its ReplicaSet. */
  readonly hash: string | undefined;
}

export type Subjects = ReturnType<typeof createSubjects>;

export const idOf = (kind: string, namespace: string | undefined, name: string): string => `${kind} ${namespace ?? ''}/${name}`;

export function createSubjects() {
  const masks = new Map<string, string>();
  /** The owner's name, without what is drawn. */
  const ownerIn = ({ namespace, owner, hash }: Identity): string => {
    if (owner === undefined) return '';
    const { kind, name } = owner;
    const mask = masks.get(idOf(kind, namespace, name)) ?? name;
    return hash !== undefined && mask.endsWith(`-${hash}`) ? `${mask.slice(0, -hash.length)}*` : mask;
  };
  return {
    /** `Pod of Job default/pi`, `Pod of ReplicaSet default/web-*`, `Job default/backup-*`, `Node node-1`; undefined: it has no name. */
    of(kind: string, identity: Identity): string | undefined {
      const { namespace, name, prefix, owner } = identity;
      const where = namespace === undefined ? '' : `${namespace}/`;
      if (owner !== undefined) return `${kind} of ${owner.kind} ${where}${ownerIn(identity)}`;
      const said = prefix === undefined ? name : `${prefix}*`;
      return said === undefined ? undefined : `${kind} ${where}${said}`;
    },
    /** Remembers an object whose name, or a part of it, was drawn. */
    remember(kind: string, { namespace, name, prefix, owner }: Identity): void {
      if (name === undefined) return;
      if (owner === undefined) {
        if (prefix !== undefined) masks.set(idOf(kind, namespace, name), `${prefix}*`);
        return;
      }
      const mask = masks.get(idOf(owner.kind, namespace, owner.name));
      if (mask !== undefined && name.startsWith(owner.name)) masks.set(idOf(kind, namespace, name), mask + name.slice(owner.name.length));
    },
  };
}

/** The parts of an object, or of a partial one from a log, that are read here; all of it may be of any type. */
interface Factual {
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

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

function controllerIn(metadata: Readonly<Record<string, unknown>>): Identity['owner'] {
  const owners = Array.isArray(metadata['ownerReferences']) ? (metadata['ownerReferences'] as readonly unknown[]) : [];
  const { kind, name } = membersOf(owners.find((each) => membersOf(each)['controller'] === true));
  return typeof kind === 'string' && typeof name === 'string' ? { kind, name } : undefined;
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

const HASH_LABEL = 'pod-template-hash';

/** Returns what an object says of who it is. */
export function identityIn({ metadata: given }: Factual): Identity {
  const metadata = membersOf(given);
  return {
    namespace: textOf(metadata['namespace']),
    name: textOf(metadata['name']),
    prefix: textOf(metadata['generateName']),
    owner: controllerIn(metadata),
    hash: textOf(membersOf(metadata['labels'])[HASH_LABEL]),
  };
}
