/**
 * Allows the deletion of claims and volumes only when nothing uses them. Models: v1.24 pkg/controller/volume/pvcprotection and
 * pvprotection. Admission adds the finalizers; this controller restores a missing one.
 */
import { addTo } from '../../../schema/values/index.ts';
import { claimNameOf, claimsOf, isForPod, mergePatch } from '../../shared/index.ts';
import type { ApiObject } from '../../../apiserver/machinery/index.ts';
import type { PersistentVolumeClaim, Pod } from '../../../apiserver/kinds/index.ts';
import { defineController, idle, isOf, observing, watch, write, type Delta, type Outcome, type Write } from '../../runtime/index.ts';

/** Writes the finalizers of an object, unless it has changed meanwhile. */
const withFinalizers = (object: ApiObject, finalizers: readonly string[]): Write =>
  mergePatch(object, { metadata: { resourceVersion: object.metadata.resourceVersion, finalizers } }, { tolerate: ['NotFound'] });
const finalizersOf = ({ metadata: { finalizers = [] } }: ApiObject): readonly string[] => finalizers;
const drop = (object: ApiObject, finalizer: string): Write =>
  withFinalizers(
    object,
    finalizersOf(object).filter((name) => name !== finalizer),
  );
const hold = (object: ApiObject, finalizer: string): Write => withFinalizers(object, [...finalizersOf(object), finalizer]);
const isHeld = (object: ApiObject, finalizer: string): boolean => finalizersOf(object).includes(finalizer);

/** A pod that its agent has ended, or that was force-deleted: only finalizers hold it. */
const isShutDown = ({ metadata }: Pod): boolean => metadata.deletionTimestamp !== undefined && metadata.deletionGracePeriodSeconds === 0;

/**
 * Whether a pod uses a claim. An unscheduled pod does not: no agent starts a pod whose claim is being deleted. The claim of an ephemeral
 * volume is used by its pod only, until the pod has ended.
 */
function uses(pod: Pod, claim: PersistentVolumeClaim): boolean {
  if (pod.spec.nodeName === undefined || pod.spec.nodeName === '') return false;
  const isMade = !isShutDown(pod) && isForPod(pod, claim);
  const { name } = claim.metadata;
  return pod.spec.volumes?.some((volume) => claimNameOf(pod, volume) === name && (volume.ephemeral === undefined || isMade)) === true;
}

/** Scheduled pods, by the claims that they mount. */
type Users = Map<string, Set<string>>;

const follow = (users: Users, { type, key, object, old }: Delta<'Pod'>): void => {
  const uses = (pod: Pod | undefined): readonly string[] => (pod?.spec.nodeName === undefined ? [] : claimsOf(pod));
  for (const claim of uses(old)) users.get(claim)?.delete(key);
  if (type === 'DELETED') return;
  for (const claim of uses(object)) addTo(users, claim, key);
};

export const claimProtection = defineController<'PersistentVolumeClaim', never, Users>({
  name: 'claim-protection',
  reconciles: 'PersistentVolumeClaim',
  writes: ['PersistentVolumeClaim'],
  models:
    'v1.24 pkg/controller/volume/pvcprotection; lists the pods of the namespace from the API server before the finalizer of a claim is removed.',
  self: {
    enqueue: ({ key, object }, { names }) =>
      object.metadata.deletionTimestamp === undefined && isHeld(object, names.key('', 'pvc-protection')) ? undefined : key,
  },
  watches: [
    watch(
      'Pod',
      ({ type, object: pod, old }) =>
        pod.spec.volumes === undefined || (type === 'MODIFIED' && pod.spec === old?.spec && !isShutDown(pod)) ? undefined : claimsOf(pod),
      { predicate: { fields: ['spec', 'metadata.deletionGracePeriodSeconds'], has: ['spec.volumes'] } },
    ),
  ],
  start: () => new Map(),
  observe: observing({ Pod: (delta, { state }) => follow(state, delta) }),
  reconcile({ self: claim, key, names, state, cache }): Outcome<never> {
    const finalizer = names.key('', 'pvc-protection');
    if (claim.metadata.deletionTimestamp === undefined)
      return isHeld(claim, finalizer) ? idle('it is not being deleted') : write('add the protection finalizer', hold(claim, finalizer));
    if (!isHeld(claim, finalizer)) return idle('it has no protection finalizer');
    const users = [...(state.get(key) ?? [])].filter((pod) => {
      const found = cache.byKey('Pod', pod);
      return found !== undefined && uses(found, claim);
    });
    if (users.length > 0) return idle(usedBy(users.length));
    const { namespace = '' } = claim.metadata;
    return write('no cached pod uses it: list the pods from the API server', { op: 'list', kind: 'Pod', namespace, resume: true });
  },
  // A wrong decision here would lose data, so a stale cache must not decide.
  resume({ self: claim, names }, { objects = [] }): Outcome<never> {
    const finalizer = names.key('', 'pvc-protection');
    if (claim === undefined || !isHeld(claim, finalizer)) return idle('it has no protection finalizer');
    const users = objects.filter((pod) => isOf('Pod', pod) && uses(pod, claim)).length;
    return users > 0 ? idle(usedBy(users)) : write('no pod uses it any more', drop(claim, finalizer));
  },
});

const usedBy = (pods: number): string => (pods === 1 ? '1 pod uses it' : `${pods} pods use it`);

export const volumeProtection = defineController<'PersistentVolume'>({
  name: 'volume-protection',
  reconciles: 'PersistentVolume',
  writes: ['PersistentVolume'],
  models: 'v1.24 pkg/controller/volume/pvprotection. Omits: nothing.',
  reconcile({ self: volume, names }): Outcome<never> {
    const finalizer = names.key('', 'pv-protection');
    if (volume.metadata.deletionTimestamp === undefined)
      return isHeld(volume, finalizer) ? idle('it is not being deleted') : write('add the protection finalizer', hold(volume, finalizer));
    if (!isHeld(volume, finalizer)) return idle('it has no protection finalizer');
    return volume.status.phase === 'Bound' ? idle('a claim has it') : write('it is bound to no claim', drop(volume, finalizer));
  },
});
