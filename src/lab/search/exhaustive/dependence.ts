/**
 * The dependence of events at one instant, for partial-order reduction: if two events are independent their order does not matter, so an
 * exhaustive search explores only one of the orders. A test executes sampled pairs in both orders and compares the resulting states.
 * Deliveries and decisions are local to a process: other processes see no effect before a request has arrived. Within a process a delivery
 * and a controller are dependent if the controller watches the kind. Requests are dependent where one watch stream carries both, where both
 * generate names, and where the server reads the object of one to handle the other.
 */
import type { Pending } from '../../../engine/index.ts';
import type { Cluster } from '../../../controlplane/cluster.ts';
import type { ClusterEvent, Controller } from '../../../controlplane/runtime/index.ts';
import { keptIn } from '../../../schema/values/index.ts';
import { invariants } from '../../invariants/index.ts';
import type { Judge } from '../../simulation/index.ts';

interface Actor {
  readonly process: string;
  readonly controller: string;
  readonly elects: boolean;
  readonly watches: ReadonlySet<string>;
}

/** The effect of a pending event, as far as it is known. */
export type Move =
  | { readonly does: 'deliver'; readonly process: string; readonly kind: string }
  /** A controller wakes or decides. */
  | (Actor & { readonly does: 'think' })
  | (Actor & { readonly does: 'write'; readonly kind: string; readonly plain: boolean; readonly draws: boolean })
  /** A process starts, or a fault ends: it depends on everything. */
  | { readonly does: 'anything' };

/** The latencies of messages. Without latency everything happens at one instant, and all events are dependent. */
export interface OrderRules {
  readonly apart: boolean;
  /** Delays are drawn from streams that a whole process shares. */
  readonly drawn: boolean;
  /** A step waits for a condition, which a write may make true: the step follows that write immediately. */
  readonly alert?: boolean;
  /** Whether an invariant checks two kinds together: it observes the state between a write of one and a write of the other. */
  together?(a: string, b: string): boolean;
}

/** Kinds that the server does not read to handle a request for another kind. */
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
/** Write operations that affect only the object that they name. */
const SIMPLE: ReadonlySet<string> = new Set(['create', 'update', 'patch', 'get', 'check']);

const isAgent = (process: string): boolean => process.startsWith('agent/');

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
const watchedBy = (controller: Pick<Controller, 'reconciles' | 'watches'>): ReadonlySet<string> =>
  keptIn(watched, controller, () => {
    const { reconciles, watches = [] } = controller;
    return new Set([...(reconciles === undefined ? [] : [reconciles]), ...watches.map(({ kind }) => kind)]);
  });

/** Whether the order of two events may matter. `meets`: whether a controller of a process watches both of two kinds. */
export function dependent(
  one: Move,
  other: Move,
  { apart, drawn, alert, together }: OrderRules,
  meets: (process: string, a: string, b: string) => boolean,
): boolean {
  if (!apart || one.does === 'anything' || other.does === 'anything') return true;
  if (alert === true && (one.does === 'write' || other.does === 'write')) return true;
  const within = one.process === other.process;
  if (one.does === 'deliver')
    return within && (other.does === 'deliver' ? meets(one.process, one.kind, other.kind) : other.elects || other.watches.has(one.kind));
  if (other.does === 'deliver') return within && (one.elects || one.watches.has(other.kind));
  // A process that wins an election lists all its kinds, and all its controllers start.
  if ((one.elects && (within || other.does === 'write')) || (other.elects && (within || one.does === 'write'))) return true;
  if (within && (one.controller === other.controller || drawn)) return true;
  if (one.does === 'write' && other.does === 'write')
    return !one.plain || !other.plain || one.kind === other.kind || (one.draws && other.draws) || together?.(one.kind, other.kind) === true;
  // Addresses of pods are assigned from one sequence for all machines.
  return one.does === 'think' && other.does === 'think' && isAgent(one.process) && isAgent(other.process);
}

export const meetsIn =
  ({ runtime }: Cluster) =>
  (process: string, a: string, b: string): boolean => {
    for (const { controller } of runtime.process(process)?.running.values() ?? []) {
      const kinds = watchedBy(controller);
      if (kinds.has(a) && kinds.has(b)) return true;
    }
    return false;
  };

/**
 * Returns whether two kinds are checked together. A built-in invariant of all kinds checks each write by itself; about a user's nothing is
 * known.
 */
export function judgedTogether(judges: readonly Pick<Judge, 'invariant'>[]): NonNullable<OrderRules['together']> {
  const several = judges.map(({ invariant }) => invariant).filter(({ kinds }) => kinds.length > 1 || kinds.includes('*'));
  if (several.some((each) => each.kinds.includes('*') && !invariants.includes(each))) return () => true;
  const sets = several.map(({ kinds }) => new Set(kinds));
  return (a, b) => sets.some((kinds) => kinds.has(a) && kinds.has(b));
}

/** Whether only its own process observes an event at once. */
const isLocal = ({ does }: Move): boolean => does === 'deliver' || does === 'think';

/**
 * Returns the indices of the events that are tried first: a persistent set, which is independent of all other events, so that exploring its
 * orders is enough. Sets of local events are preferred, then smaller sets, then older ones.
 */
export function groupOf(
  moves: readonly Move[],
  rules: OrderRules,
  meets: (process: string, a: string, b: string) => boolean,
): readonly number[] {
  const groups: number[][] = [];
  for (const [at, move] of moves.entries()) {
    const joined = groups.filter((group) => group.some((other) => dependent(moves[other] ?? ANYTHING, move, rules, meets)));
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
