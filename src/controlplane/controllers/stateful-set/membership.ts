/**
 * The pods of a set: those that it controls, selects and has named, and those that it can adopt. Models: v1.24 pkg/controller
 * PodControllerRefManager.ClaimPods, pkg/controller/statefulset getPodsForStatefulSet, adoptOrphanRevisions.
 */
import { controllerOf, storeKey } from '../../../apiserver/machinery/index.ts';
import type { ControllerRevision, Pod, StatefulSet } from '../../../apiserver/kinds/index.ts';
import { readLive, type Answer, type Write } from '../../runtime/index.ts';
import { labelMatcher } from '../../../schema/values/index.ts';
import { adopt, claim } from '../../shared/index.ts';
import { isDying, type SetInput } from './input.ts';
import { ordinalNameOf } from './ordinals.ts';
import { addPod, emptyPods, orphanPods, setPods, type SetPods } from './pods.ts';

export interface Membership {
  /** The set's pods as they will be after the writes. */
  readonly pods: SetPods;
  /** Adoptions and releases. */
  readonly writes: readonly Write[];
  readonly adopts: boolean;
}

/** The pods of a set, with the adoptions and releases to write. */
export function adoptPods(input: SetInput): Membership {
  const { self: set, cache } = input;
  const { name: setName, namespace = '', uid } = set.metadata;
  const matches = labelMatcher(set.spec.selector);
  const managed = cache.aggregate(setPods, uid);
  const orphans = isDying(set)
    ? []
    : [...cache.aggregate(orphanPods, storeKey(namespace, setName)).values()].filter(
        ({ metadata }) => metadata.deletionTimestamp === undefined && matches(metadata.labels),
      );
  if (orphans.length === 0 && managed.strays.size === 0 && managed.labels.allMatch(matches))
    return { pods: managed, writes: [], adopts: false };

  // A rare case: labels were edited, or an earlier set left pods behind. All pods are visited once.
  const belongs = (pod: Pod): boolean => ordinalNameOf(pod.metadata.name)?.parent === setName && matches(pod.metadata.labels);
  const { kept, writes } = claim(set, cache.controlledBy('Pod', set), belongs, orphans, { checked: false });
  const pods = emptyPods();
  for (const pod of [...kept, ...orphans]) addPod(pods, pod, setName);
  return { pods, writes, adopts: orphans.length > 0 };
}

/** Adopts revisions without a controller reference. */
export function adoptRevisions({ self: set }: SetInput, history: readonly ControllerRevision[]): readonly Write[] {
  return history.filter((revision) => controllerOf(revision) === undefined).map((revision) => adopt(revision, set));
}

/** A live read of the set before anything is adopted: with a stale cache, objects could be adopted by a set that is gone. */
export const readSet = ({ self }: SetInput): Write => readLive(self, { tolerate: ['NotFound'] });

/** Whether the response allows adoption. */
export const mayAdopt = (set: StatefulSet, { object }: Answer): boolean =>
  object?.metadata.uid === set.metadata.uid && object.metadata.deletionTimestamp === undefined;
