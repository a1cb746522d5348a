/**
 * Pods that are ready but not available yet: their number, the first of them, and when to reconcile the set again. Models: v1.24
 * pkg/api/v1/pod IsPodAvailable, pkg/controller/statefulset syncStatefulSet.
 */
import { minReadyMs, replicasOf, type SetInput, type SetMemory } from './input.ts';
import type { SetPods } from './pods.ts';

/** Ready pods that do not count as available. */
export const unavailableCount = (input: SetInput, { ready }: SetPods): number => since(input, (instant) => ready.countSince(instant)) ?? 0;

/** The lowest ordinal among them. */
export const firstUnavailable = (input: SetInput, { ready }: SetPods): number | undefined =>
  since(input, (instant) => ready.firstSince(instant));

export function isAvailable(input: SetInput, pods: SetPods, ordinal: number): boolean {
  const readySince = pods.members.get(ordinal)?.traits.readySince;
  const wait = minReadyMs(input);
  return readySince !== undefined && (wait === 0 || readySince + wait < input.now);
}

/** Calls a function with the instant before which ready pods are available. */
function since<T>(input: SetInput, query: (instant: number) => T): T | undefined {
  const wait = minReadyMs(input);
  return wait === 0 ? undefined : query(input.now - wait);
}

export interface Waiting extends Pick<SetMemory, 'lookAt' | 'lacks'> {
  readonly wakeAt?: number;
}

/**
 * When to reconcile again. At each sync with too few available pods, upstream enqueues the key after minReadySeconds; an earlier delayed
 * enqueue stays, so a pod that becomes available in between is noticed late. Wake-ups that would find nothing are left out here. Differs:
 * where the number of available pods is right but the wanted ones are not among them, upstream may not reconcile at all, and an ordered
 * scale-down stops.
 */
export function waitForAvailable(input: SetInput, pods: SetPods, available: number): Waiting {
  const wait = minReadyMs(input);
  if (wait === 0) return {};
  const pending = pendingLook(input, wait);
  const earliest = pods.ready.earliestSince(input.now - wait);
  const willCome = earliest !== undefined && earliest !== Infinity;
  if (available === replicasOf(input.self) && !willCome) return pending === undefined ? {} : { lookAt: pending };
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
