/**
 * Kinds that take their leave slowly: how many seconds a deletion grants. Models: pkg/registry/core/pod strategy.go CheckGracefulDelete.
 */
import { isOf } from '../kinds/index.ts';
import type { ApiObject } from '../machinery/index.ts';

type GracePeriod = (object: ApiObject, asked: number | undefined) => number;

/** A pod that no node holds, or that has finished, needs no grace. */
const podGrace: GracePeriod = (object, asked) => {
  if (!isOf('Pod', object)) return 0;
  const { spec, status } = object;
  if (spec.nodeName === undefined || spec.nodeName === '') return 0;
  if (status.phase === 'Failed' || status.phase === 'Succeeded') return 0;
  const period = asked ?? spec.terminationGracePeriodSeconds ?? 0;
  return period < 0 ? 1 : period;
};

/** By kind; others are deleted at once, or as soon as their finalizers are gone. */
export const GRACE_PERIODS: ReadonlyMap<string, GracePeriod> = new Map([['Pod', podGrace]]);
