/**
 * Which of the events that are due at one instant make a difference to one another. Of those that make none it does not matter which comes
 * first, so an exhaustive search looks at one order of them only. A test makes sampled pairs both ways and compares the states that come
 * out.
 *
 * A process delivers, wakes and decides for itself: nobody else learns of it before a request has been on its way. Within it a delivery
 * concerns those who watch its kind. Requests concern one another where a stream carries both, where both draw names, and where the server
 * looks at one to judge the other.
 */
import type { Pending } from '../../../engine/index.ts';
import type { Cluster } from '../../../controlplane/cluster.ts';
import type { ClusterEvent } from '../../../controlplane/runtime/index.ts';
import { invariants } from '../../invariants/index.ts';
import type { Judge } from '../../simulation/index.ts';

/** What is known of an event that is due. */
export type Move =
  | { readonly does: 'deliver'; readonly process: string; readonly kind: string }
  /** A controller wakes or decides. */
  | {
      readonly does: 'think';
      readonly process: string;
      readonly controller: string;
      readonly elects: boolean;
      readonly watches: ReadonlySet<string>;
    }
  | {
      readonly does: 'write';
      readonly process: string;
      readonly controller: string;
      readonly elects: boolean;
      readonly watches: ReadonlySet<string>;
      readonly kind: string;
      readonly plain: boolean;
      readonly draws: boolean;
    }
  /** A process starts, a fault ends: it may make a difference to anybody. */
  | { readonly does: 'anything' };

/** How messages travel: where they take no time all is one instant, and everything depends on everything. */
export interface Ways {
  readonly apart: boolean;
  /** Delays are drawn from streams that a whole process shares. */
  readonly drawn: boolean;
  /** Somebody goes on as soon as a write makes a condition true: right after it, before anything else. */
  readonly alert?: boolean;
  /** Whether an invariant judges two kinds together: it sees the world between a write of the one and of the other. */
  together?(a: string, b: string): boolean;
}

/** Kinds that nobody looks at when a request about another is judged. */
const PLAIN: ReadonlySet<string> = new Set([
  'Pod',
  'Node',
  'Lease',
  'Job',
  'CronJob',
  'StatefulSet',
  'Deployment',
  'ReplicaSet',
  'DaemonSet',
  'ControllerRevision',
  'Endpoints',
  'EndpointSlice',
  'PersistentVolume',
  'PersistentVolumeClaim',
  'VolumeAttachment',
  'HorizontalPodAutoscaler',
]);
/** Writes that concern the object they name, and nothing else. */
const SIMPLE: ReadonlySet<string> = new Set(['create', 'update', 'patch', 'get', 'check']);

const isAgent = (process: string): boolean => process.startsWith('agent/');

/** What an event that is due would do. */
export function moveOf({ runtime }: Cluster, { event, part }: Pending<ClusterEvent>): Move {
  switch (event.type) {
    case 'deliver': {
      const process = runtime.resolver.receiverOf(event.to[part] ?? -1);
      return process === undefined ? ANYTHING : { does: 'deliver', process, kind: event.kind };
    }
    case 'due':
    case 'reconcile':
    case 'apply': {
      const who = runtime.resolver.controllerOf(event.running);
      const running = who === undefined ? undefined : runtime.process(who.process)?.running.get(who.controller);
      if (who === undefined || running === undefined) return ANYTHING;
      const base = { ...who, elects: running.process.spec.elector?.name === who.controller, watches: watchedBy(running.controller) };
      if (event.type !== 'apply') return { does: 'think', ...base };
      const write = running.queue.at(event.keyId)?.flight?.outcome.writes[event.index];
      if (write === undefined || write.op === 'event') return ANYTHING;
      const kind = 'object' in write ? write.object.kind : write.kind;
      const draws = write.op === 'create' || write.op === 'post';
      const plain = PLAIN.has(kind) && (SIMPLE.has(write.op) || (write.op === 'post' && write.subresource === 'binding'));
      return { does: 'write', ...base, kind, plain, draws };
    }
    default:
      return ANYTHING;
  }
}

const ANYTHING: Move = { does: 'anything' };

const watched = new WeakMap<object, ReadonlySet<string>>();
function watchedBy(controller: {
  readonly reconciles?: string;
  readonly watches?: readonly { readonly kind: string }[];
}): ReadonlySet<string> {
  let kinds = watched.get(controller);
  if (kinds === undefined) {
    kinds = new Set([
      ...(controller.reconciles === undefined ? [] : [controller.reconciles]),
      ...(controller.watches ?? []).map(({ kind }) => kind),
    ]);
    watched.set(controller, kinds);
  }
  return kinds;
}

/** Whether it may matter which of two comes first. `meets`: whether a controller of a process watches both of two kinds. */
export function dependent(
  one: Move,
  other: Move,
  { apart, drawn, alert, together }: Ways,
  meets: (process: string, a: string, b: string) => boolean,
): boolean {
  if (!apart || one.does === 'anything' || other.does === 'anything') return true;
  if (alert === true && (one.does === 'write' || other.does === 'write')) return true;
  const within = one.process === other.process;
  if (one.does === 'deliver')
    return within && (other.does === 'deliver' ? meets(one.process, one.kind, other.kind) : other.elects || other.watches.has(one.kind));
  if (other.does === 'deliver') return within && (one.elects || one.watches.has(other.kind));
  // Who wins an election lists what there is, and everything begins in its process.
  if ((one.elects && (within || other.does === 'write')) || (other.elects && (within || one.does === 'write'))) return true;
  if (within && (one.controller === other.controller || drawn)) return true;
  if (one.does === 'write' && other.does === 'write')
    return !one.plain || !other.plain || one.kind === other.kind || (one.draws && other.draws) || together?.(one.kind, other.kind) === true;
  // Addresses of pods are numbered over all machines.
  return one.does === 'think' && other.does === 'think' && isAgent(one.process) && isAgent(other.process);
}

/** A controller of a process that watches both. */
export const meetsIn =
  ({ runtime }: Cluster) =>
  (process: string, a: string, b: string): boolean => {
    for (const { controller } of runtime.process(process)?.running.values() ?? []) {
      const kinds = watchedBy(controller);
      if (kinds.has(a) && kinds.has(b)) return true;
    }
    return false;
  };

/** What invariants judge together. A built-in one that wants every kind looks at each write by itself; of anybody else's nobody knows. */
export function judgedTogether(judges: readonly Pick<Judge, 'invariant'>[]): NonNullable<Ways['together']> {
  const several = judges.map(({ invariant }) => invariant).filter(({ kinds }) => kinds.length > 1 || kinds.includes('*'));
  if (several.some((each) => each.kinds.includes('*') && !invariants.includes(each))) return () => true;
  const sets = several.map(({ kinds }) => new Set(kinds));
  return (a, b) => sets.some((kinds) => kinds.has(a) && kinds.has(b));
}

/** Whether nobody but its process learns of it at once. */
const isLocal = ({ does }: Move): boolean => does === 'deliver' || does === 'think';

/**
 * The places of those of which every one is to be tried first: a group that makes no difference to the others, so that whatever is tried
 * with it is tried with them too. Steps that a process takes for itself come first, then the smaller groups, then the older.
 */
export function groupOf(moves: readonly Move[], ways: Ways, meets: (process: string, a: string, b: string) => boolean): readonly number[] {
  const groups: number[][] = [];
  for (const [at, move] of moves.entries()) {
    const joined = groups.filter((group) => group.some((other) => dependent(moves[other] ?? ANYTHING, move, ways, meets)));
    const merged = [...joined.flat(), at].sort((a, b) => a - b);
    for (const group of joined) groups.splice(groups.indexOf(group), 1);
    groups.push(merged);
  }
  const rank = (group: readonly number[]): readonly [number, number, number] => [
    group.every((at) => isLocal(moves[at] ?? ANYTHING)) ? 0 : 1,
    group.length,
    group[0] ?? 0,
  ];
  return groups.reduce((best, group) => (isBefore(rank(group), rank(best)) ? group : best), groups[0] ?? []);
}

function isBefore(a: readonly number[], b: readonly number[]): boolean {
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return (a[at] ?? 0) < (b[at] ?? 0);
  return false;
}
