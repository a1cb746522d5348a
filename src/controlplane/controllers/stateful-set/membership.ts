/**
 * Which pods are the set's: those it manages, selects and has named, and such that nobody manages. Models: v1.24 pkg/controller
 * PodControllerRefManager.ClaimPods, pkg/controller/statefulset getPodsForStatefulSet, adoptOrphanRevisions.
 */
import { controllerOf, storeKey } from '../../../apiserver/machinery/index.ts';
import type { ControllerRevision, Pod, StatefulSet } from '../../../apiserver/kinds/index.ts';
import type { Answer, Write } from '../../runtime/index.ts';
import { labelMatcher } from '../../../schema/values/index.ts';
import { adopt, disown } from '../../shared/index.ts';
import { isDying, type SetInput } from './input.ts';
import { ordinalNameOf } from './ordinals.ts';
import { addPod, emptyPods, orphanPods, setPods, type SetPods } from './pods.ts';

export interface Membership {
  /** The set's pods as they will be once the writes are made. */
  readonly pods: SetPods;
  /** Adoptions and releases. */
  readonly writes: readonly Write[];
  readonly adopts: boolean;
}

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

  // Rare: someone changed labels or left pods behind, so this once the pods are gone through one by one.
  const belongs = (pod: Pod): boolean => ordinalNameOf(pod.metadata.name)?.parent === setName && matches(pod.metadata.labels);
  const pods = emptyPods();
  const writes: Write[] = [];
  for (const pod of cache.controlledBy('Pod', set)) {
    if (belongs(pod)) addPod(pods, pod, setName);
    else if (!isDying(set)) writes.push(disown(pod, [uid]));
  }
  for (const pod of orphans) {
    writes.push(adopt(pod, set));
    addPod(pods, pod, setName);
  }
  return { pods, writes, adopts: orphans.length > 0 };
}

/** Takes on revisions nobody manages. */
export function adoptRevisions({ self: set }: SetInput, history: readonly ControllerRevision[]): readonly Write[] {
  return history.filter((revision) => controllerOf(revision) === undefined).map((revision) => adopt(revision, set));
}

/** A cache that lags must not tie objects to a set that is gone: before anything is adopted the server is asked. */
export const askForSet = ({
  self: {
    metadata: { name, namespace },
  },
}: SetInput): Write => ({
  op: 'get',
  kind: 'StatefulSet',
  name,
  ...(namespace === undefined ? {} : { namespace }),
  tolerate: ['NotFound'],
  resume: true,
});

/** What the answer says. */
export const mayAdopt = (set: StatefulSet, { object }: Answer): boolean =>
  object?.metadata.uid === set.metadata.uid && object.metadata.deletionTimestamp === undefined;
