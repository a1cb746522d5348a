/**
 * Pods that are ready, but not for long enough yet: how many, which is the first, and when the set is looked at again for their sake.
 * Models: v1.24 pkg/api/v1/pod IsPodAvailable, pkg/controller/statefulset syncStatefulSet.
 */
import { minReadyMs, replicasOf, type SetInput } from './input.ts';
import type { SetPods } from './pods.ts';

/** Ready pods that do not count as available. */
export const unavailableCount = (input: SetInput, { ready }: SetPods): number => since(input, (instant) => ready.countSince(instant)) ?? 0;

/** The lowest ordinal among them. */
export const firstUnavailable = (input: SetInput, { ready }: SetPods): number | undefined => since(input, (instant) => ready.firstSince(instant));

export function isAvailable(input: SetInput, pods: SetPods, ordinal: number): boolean {
  const readySince = pods.members.get(ordinal)?.traits.readySince;
  const wait = minReadyMs(input);
  return readySince !== undefined && (wait === 0 || readySince + wait < input.now);
}

/** Asks about the pods ready since an instant or later: those before it are available. */
function since<T>(input: SetInput, ask: (instant: number) => T): T | undefined {
  const wait = minReadyMs(input);
  return wait === 0 ? undefined : ask(input.now - wait);
}

export interface Waiting { readonly lackingSince?: number; readonly wakeAt?: number }

/**
 * When to look again. Upstream looks every minReadySeconds, counted from the sync that first found too few pods available, so one that
 * becomes available in between is noticed late; looks that would find nothing are left out here.
 */
export function waitForAvailable(input: SetInput, pods: SetPods, available: number): Waiting {
  const wait = minReadyMs(input);
  if (wait === 0 || available === replicasOf(input.self)) return {};
  const lackingSince = input.memory?.lackingSince ?? input.now;
  const earliest = pods.ready.earliestSince(input.now - wait);
  if (earliest === undefined || earliest === Infinity) return { lackingSince };
  const looks = Math.ceil((earliest + wait + 1 - lackingSince) / wait);
  return { lackingSince, wakeAt: lackingSince + Math.max(1, looks) * wait };
}
