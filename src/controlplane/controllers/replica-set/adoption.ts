/**
 * The pods of a set: those that it controls and still selects, and those that it can adopt. Models: v1.24 pkg/controller
 * PodControllerRefManager.ClaimPods.
 */
import type { Pod } from '../../../apiserver/kinds/index.ts';
import { labelMatcher } from '../../../schema/values/index.ts';
import type { Write } from '../../runtime/index.ts';
import { claim, podsToAdopt } from '../../shared/index.ts';
import type { SetInput } from './input.ts';
import { addPod, emptyPods, isActive, replicaPods, type ReplicaPods } from './pods.ts';

export interface Claim {
  /** The set's pods as they will be after the writes. */
  readonly pods: ReplicaPods;
  /** Adoptions and releases. */
  readonly writes: readonly Write[];
}

/** Pods that have ended or are being deleted are neither adopted nor released. */
export function adoptPods({ self: set, cache }: SetInput): Claim {
  const matches = labelMatcher(set.spec.selector);
  const managed = cache.aggregate(replicaPods, set.metadata.uid);
  const orphans = podsToAdopt(set, cache, matches).filter(isActive);
  if (orphans.length === 0 && managed.labels.allMatch(matches)) return { pods: managed, writes: [] };

  // A rare case: labels were edited, or an earlier set left pods behind. All pods are visited once.
  const belongs = ({ metadata }: Pod): boolean => matches(metadata.labels);
  const { kept, writes } = claim(set, managed.active.values(), belongs, orphans);
  const pods = emptyPods();
  for (const pod of [...kept, ...orphans]) addPod(pods, pod);
  return { pods, writes };
}
