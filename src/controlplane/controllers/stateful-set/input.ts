/**
 * The input of the StatefulSet controller, its fields as far as their gates are on, and pods that are ready but not available yet. Models:
 * v1.24 pkg/api/v1/pod IsPodAvailable, pkg/controller/statefulset syncStatefulSet.
 */
import type { ControllerRevision, StatefulSet } from '../../../apiserver/kinds/index.ts';
import type { ReconcileInput } from '../../runtime/index.ts';
import type { SetPods } from './pods.ts';

/** What a sync has learned from live reads and refusals. */
export interface Known {
  /** Whether the server still has the set, and it is not being deleted. */
  readonly mayAdopt?: boolean;
  /** The number of name collisions of the update revision, not in the status yet. */
  readonly collisions?: number;
  /** The update revision, which the server has and the cache does not. */
  readonly found?: ControllerRevision;
  readonly claimErrors?: readonly string[];
}
export const NOTHING_KNOWN: Known = {};

export interface SetMemory {
  /** The set's resourceVersion when its last status was written: a cache that still has it is outdated. */
  readonly statusFrom?: string;
  /** How often a status update conflicted with one cached revision of the set. */
  readonly conflicts?: { readonly over: string; readonly times: number };
  /** When the set is reconciled because time has passed. */
  readonly lookAt?: number;
  /** Pods were missing or not available: reconciles continue every minReadySeconds until none are. */
  readonly lacks?: true;
  readonly known?: Known;
}

export type SetInput = ReconcileInput<StatefulSet, SetMemory>;

/** Pods are created and deleted one at a time, each after its predecessor is available. */
export const isOrdered = (set: StatefulSet): boolean => set.spec.podManagementPolicy !== 'Parallel';
/** Pods with a lower ordinal keep the current revision. */
export const partitionOf = (set: StatefulSet): number => set.spec.updateStrategy.rollingUpdate?.partition ?? 0;

/** How long a pod has to be ready before it counts as available, milliseconds. */
const minReadyMs = ({ self, gates }: Pick<SetInput, 'self' | 'gates'>): number =>
  gates['StatefulSetMinReadySeconds'] === true ? (self.spec.minReadySeconds ?? 0) * 1000 : 0;

/** Whether claims are deleted with the set, and with a pod on scale-down; undefined: the gate is off, and claims are kept. */
export function retentionOf({ self, gates }: Pick<SetInput, 'self' | 'gates'>) {
  if (gates['StatefulSetAutoDeletePVC'] !== true) return undefined;
  const policy = self.spec.persistentVolumeClaimRetentionPolicy;
  return { whenDeleted: policy?.whenDeleted === 'Delete', whenScaled: policy?.whenScaled === 'Delete' };
}

/** The ordinals of ready pods that do not count as available, by the time since when they are ready. */
function* unavailable(input: SetInput, { ready }: SetPods) {
  const wait = minReadyMs(input);
  if (wait > 0) yield* ready.since(input.now - wait);
}

export const unavailableCount = (input: SetInput, pods: SetPods): number =>
  [...unavailable(input, pods)].reduce((sum, { size }) => sum + size, 0);

/** The lowest ordinal among them. */
export const firstUnavailable = (input: SetInput, pods: SetPods): number | undefined => {
  const firsts = [...unavailable(input, pods)].map((ordinals) => ordinals.next(0) ?? Infinity);
  return firsts.length === 0 ? undefined : Math.min(...firsts);
};

export function isAvailable(input: SetInput, pods: SetPods, ordinal: number): boolean {
  const readySince = pods.members.get(ordinal)?.traits.readySince;
  const wait = minReadyMs(input);
  return readySince !== undefined && (wait === 0 || readySince + wait < input.now);
}

/**
 * When to reconcile again. At each sync with too few available pods, upstream enqueues the key after minReadySeconds; an earlier delayed
 * enqueue stays, so a pod that becomes available in between is noticed late. Wake-ups that would find nothing are left out here. Differs:
 * where the number of available pods is right but the wanted ones are not among them, upstream may not reconcile at all, and an ordered
 * scale-down stops.
 */
export function waitForAvailable(
  input: SetInput,
  pods: SetPods,
  available: number,
): Pick<SetMemory, 'lookAt' | 'lacks'> & { readonly wakeAt?: number } {
  const wait = minReadyMs(input);
  if (wait === 0) return {};
  const pending = pendingLook(input, wait);
  const earliest = pods.ready.firstSince(input.now - wait);
  const willCome = earliest !== undefined && earliest !== Infinity;
  if (available === input.self.spec.replicas && !willCome) return pending === undefined ? {} : { lookAt: pending };
  const lookAt = pending ?? input.now + wait;
  if (!willCome) return { lookAt, lacks: true };
  const looks = Math.ceil((earliest + wait + 1 - lookAt) / wait);
  return { lookAt, lacks: true, wakeAt: lookAt + Math.max(0, looks) * wait };
}

/** The pending delayed enqueue. One that found too few pods has scheduled the next. */
function pendingLook({ memory: { lookAt, lacks } = {}, now }: SetInput, wait: number): number | undefined {
  if (lookAt === undefined || lookAt > now) return lookAt;
  const since = (now - lookAt) % wait;
  return lacks !== true || since === 0 ? undefined : now + wait - since;
}
