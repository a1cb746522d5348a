/** Graceful deletion: the grace period of each kind in seconds. Models: pkg/registry/core/pod strategy.go CheckGracefulDelete. */
import { isOf } from '../kinds/index.ts';
import type { ApiObject } from '../machinery/index.ts';

type GracePeriod = (object: ApiObject, asked: number | undefined) => number;

/** A pod that is not scheduled, or that has terminated, needs no grace period. */
const podGrace: GracePeriod = (object, asked) => {
  if (!isOf('Pod', object)) return 0;
  const { spec, status } = object;
  if (spec.nodeName === undefined || spec.nodeName === '') return 0;
  if (status.phase === 'Failed' || status.phase === 'Succeeded') return 0;
  const period = asked ?? spec.terminationGracePeriodSeconds ?? 0;
  return period < 0 ? 1 : period;
};

/** Grace periods by kind. Other kinds are deleted at once, or when their finalizers are removed. */
export const GRACE_PERIODS: ReadonlyMap<string, GracePeriod> = new Map([['Pod', podGrace]]);
