/**
 * Deletion of claims with their set or on scale-down, by their owner references: the garbage collector does the rest. Behind the gate
 * StatefulSetAutoDeletePVC. Models: v1.24 pkg/controller/statefulset ClaimsMatchRetentionPolicy, UpdatePodClaimForRetentionPolicy,
 * PodClaimIsStale. Differs: owners are patched, so a concurrent change by the volume binder is no conflict.
 */
import { storeKey } from '../../../apiserver/machinery/index.ts';
import type { PersistentVolumeClaim, Pod, StatefulSet } from '../../../apiserver/kinds/index.ts';
import type { EventText, Write } from '../../runtime/index.ts';
import { setClaims } from './claims.ts';
import { replicasOf, retentionOf, type SetInput } from './input.ts';
import { createOrdinalSet, difference } from './ordinal-set.ts';
import { claimBase, claimName, podName } from './traits.ts';
import { podAt, type SetPods } from './pods.ts';

const hasOwner = (claim: PersistentVolumeClaim, uid: string): boolean =>
  claim.metadata.ownerReferences?.some((owner) => owner.uid === uid) ?? false;

/** Whether a claim is owned by an earlier pod of the same name, and will be deleted with it: a new pod would lose it at once. */
export function hasStaleClaim(input: SetInput, ordinal: number): boolean {
  const { self: set, cache } = input;
  if (retentionOf(input)?.whenScaled !== true) return false;
  const name = podName(set.metadata.name, ordinal);
  return (set.spec.volumeClaimTemplates ?? []).some((template) => {
    const claim = cache.get(
      'PersistentVolumeClaim',
      set.metadata.namespace,
      claimName(template.metadata.name ?? '', set.metadata.name, ordinal),
    );
    return claim?.metadata.ownerReferences?.some((owner) => owner.name === name) ?? false;
  });
}

/** The wanted owners of a pod's claims: the set if they are deleted with it, the pod if it is scaled down and they are deleted then. */
function wantedOwners(input: SetInput, ordinal: number): { readonly set: boolean; readonly pod: boolean } {
  const retention = retentionOf(input);
  const scaledAway = retention?.whenScaled === true && ordinal >= replicasOf(input.self);
  return { set: retention?.whenDeleted === true && !scaledAway, pod: scaledAway };
}

/** Pods from one ordinal to below another whose claims do not have the wanted owners, ascending. */
export function misownedOrdinals(input: SetInput, pods: SetPods, from: number, bound: number): readonly number[] {
  const { self: set, cache } = input;
  if (retentionOf(input) === undefined || from >= bound) return [];
  const found = new Set<number>();
  const none = createOrdinalSet();
  const wanted = wantedOwners(input, from);
  for (const template of set.spec.volumeClaimTemplates ?? []) {
    const { present, ownedBy, podOwned } = cache.aggregate(
      setClaims,
      storeKey(set.metadata.namespace, claimBase(template.metadata.name ?? '', set.metadata.name)),
    );
    const ownedBySet = ownedBy.get(set.metadata.uid) ?? none;
    const doubtful = [
      wanted.set ? difference(present, ownedBySet, from, bound) : difference(ownedBySet, none, from, bound),
      wanted.pod ? difference(present, podOwned, from, bound) : difference(podOwned, none, from, bound),
    ];
    for (const ordinals of doubtful) {
      for (const ordinal of ordinals) {
        const pod = podAt(pods, ordinal);
        const claim = cache.get(
          'PersistentVolumeClaim',
          set.metadata.namespace,
          claimName(template.metadata.name ?? '', set.metadata.name, ordinal),
        );
        if (pod !== undefined && claim !== undefined && ownerChanges(input, claim, pod, ordinal).length > 0) found.add(ordinal);
      }
    }
  }
  return [...found].sort((a, b) => a - b);
}

/** Sets the owners of a pod's claims. */
export function reown(input: SetInput, pod: Pod, ordinal: number, otherwise: EventText): readonly Write[] {
  const { self: set, cache } = input;
  return (set.spec.volumeClaimTemplates ?? []).flatMap((template): readonly Write[] => {
    const claim = cache.get(
      'PersistentVolumeClaim',
      set.metadata.namespace,
      claimName(template.metadata.name ?? '', set.metadata.name, ordinal),
    );
    const ownerReferences = claim === undefined ? [] : ownerChanges(input, claim, pod, ordinal);
    if (claim === undefined || ownerReferences.length === 0) return [];
    return [patchOwners(set, claim.metadata.name, { uid: claim.metadata.uid, ownerReferences }, otherwise)];
  });
}

/** The same for claims created with a new pod: the cache has neither yet. */
export function ownNewClaims(input: SetInput, ordinal: number, otherwise: EventText): readonly Write[] {
  const { self: set, cache } = input;
  if (!wantedOwners(input, ordinal).set) return [];
  return (set.spec.volumeClaimTemplates ?? []).flatMap((template): readonly Write[] => {
    const name = claimName(template.metadata.name ?? '', set.metadata.name, ordinal);
    const claim = cache.get('PersistentVolumeClaim', set.metadata.namespace, name);
    return claim !== undefined && hasOwner(claim, set.metadata.uid)
      ? []
      : [patchOwners(set, name, { ownerReferences: [referenceTo(set)] }, otherwise)];
  });
}

const patchOwners = (set: StatefulSet, name: string, metadata: object, { message, ...event }: EventText): Write => ({
  op: 'patch',
  kind: 'PersistentVolumeClaim',
  ...(set.metadata.namespace === undefined ? {} : { namespace: set.metadata.namespace }),
  name,
  patchType: 'strategic',
  patch: { metadata },
  otherwise: { ...event, message: message.replace('{error}', `Could not update claim ${name} for delete policy ownerRefs: {error}`) },
});

/** Not a controller reference, and not blocking: the claim is deleted with its owner and does not delay it. */
const referenceTo = ({ apiVersion, kind, metadata: { name, uid } }: StatefulSet | Pod): object => ({ apiVersion, kind, name, uid });

/** The list elements of an ownerReferences patch. */
function ownerChanges(input: SetInput, claim: PersistentVolumeClaim, pod: Pod, ordinal: number): readonly object[] {
  const { self: set } = input;
  const wanted = wantedOwners(input, ordinal);
  return (
    [
      [wanted.set, set],
      [wanted.pod, pod],
    ] as const
  ).flatMap(([wants, owner]) => {
    const has = hasOwner(claim, owner.metadata.uid);
    return wants === has ? [] : [wants ? referenceTo(owner) : { $patch: 'delete', uid: owner.metadata.uid }];
  });
}
