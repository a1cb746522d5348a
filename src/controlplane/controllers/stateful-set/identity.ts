/**
 * The identity of a set's pods: name, network identity, claims; the creation of pods, and the repair of adopted ones. And the owners of the
 * claims, by which the garbage collector deletes them with their set or on scale-down (behind the gate StatefulSetAutoDeletePVC). Models:
 * v1.24 pkg/controller/statefulset newStatefulSetPod, updateIdentity, updateStorage, getPersistentVolumeClaims, createPersistentVolumeClaims,
 * ClaimsMatchRetentionPolicy, UpdatePodClaimForRetentionPolicy, PodClaimIsStale. Differs: owners are patched, so a concurrent change by the
 * volume binder is no conflict.
 */
import { keptIn, removeFrom } from '../../../schema/values/index.ts';
import { type ObjectInput, storeKey } from '../../../apiserver/machinery/index.ts';
import type { PersistentVolumeClaim, Pod, StatefulSet } from '../../../apiserver/kinds/index.ts';
import { create, defineAggregate, type EventText, type Write, remove } from '../../runtime/index.ts';
import { byText, mergePatch, OrdinalSet, present, controllerReference } from '../../shared/index.ts';
import { retentionOf, type SetInput } from './input.ts';
import { claimBase, claimName, ordinalNameOf, podName, newOrdinals, podAt, type SetPods, REVISION_LABEL } from './pods.ts';
import type { Revision } from './revisions.ts';

/** Claims of one template, by ordinal. */
interface SetClaims {
  readonly present: OrdinalSet;
  /** By the uid of an owner that is not a pod. */
  readonly ownedBy: Map<string, OrdinalSet>;
  readonly podOwned: OrdinalSet;
}

/** Claims by the part of their names before the ordinal: `default/data-web`. */
export const setClaims = defineAggregate<'PersistentVolumeClaim', SetClaims>({
  name: 'claims of a StatefulSet',
  kind: 'PersistentVolumeClaim',
  groupOf: ({ metadata: { namespace, name } }) => {
    const parts = ordinalNameOf(name);
    return parts === undefined ? undefined : storeKey(namespace, parts.parent);
  },
  empty: () => ({ present: new OrdinalSet(), ownedBy: new Map(), podOwned: new OrdinalSet() }),
  add({ present, ownedBy, podOwned }, { metadata: { name, ownerReferences = [] } }) {
    const ordinal = ordinalNameOf(name)?.ordinal ?? 0;
    present.add(ordinal);
    for (const { kind, uid } of ownerReferences)
      if (kind === 'Pod') podOwned.add(ordinal);
      else keptIn(ownedBy, uid, newOrdinals).add(ordinal);
  },
  remove({ present, ownedBy, podOwned }, { metadata: { name, ownerReferences = [] } }) {
    const ordinal = ordinalNameOf(name)?.ordinal ?? 0;
    present.delete(ordinal);
    podOwned.delete(ordinal);
    for (const { uid } of ownerReferences) removeFrom(ownedBy, uid, ordinal);
  },
  plain: ({ present, ownedBy, podOwned }) => ({
    present: present.intervals(),
    podOwned: podOwned.intervals(),
    ownedBy: byText([...ownedBy].map(([uid, owned]) => [uid, owned.intervals()])),
  }),
});

type ClaimTemplate = NonNullable<StatefulSet['spec']['volumeClaimTemplates']>[number];

const claimIn = ({ self: { metadata }, cache }: SetInput, template: ClaimTemplate, ordinal: number) => {
  const name = claimName(template.metadata.name ?? '', metadata.name, ordinal);
  return { name, template, claim: cache.get('PersistentVolumeClaim', metadata.namespace, name) };
};

/** The claims of a pod, one for each template, as far as they exist. */
const claimsOf = (input: SetInput, ordinal: number) =>
  (input.self.spec.volumeClaimTemplates ?? []).map((template) => claimIn(input, template, ordinal));

function claimFor(set: StatefulSet, { metadata: given, spec }: ClaimTemplate, name: string): ObjectInput {
  const { creationTimestamp: _, ...metadata } = given;
  const { matchLabels } = set.spec.selector;
  const labels = metadata.labels === undefined ? matchLabels : { ...metadata.labels, ...matchLabels };
  const whole = { ...metadata, ...present({ name, namespace: set.metadata.namespace, labels }) } as ObjectInput['metadata'];
  return { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: whole, spec };
}

/** Creates the missing claims of a pod. `errors`: why the pod cannot be made now. */
export function planClaims(input: SetInput, ordinal: number) {
  const writes: Write[] = [];
  const errors: string[] = [];
  for (const { template, name, claim } of claimsOf(input, ordinal)) {
    if (claim === undefined) writes.push(create(claimFor(input.self, template, name), { then: claimEvent(input.self, name, ordinal) }));
    else if (claim.metadata.deletionTimestamp !== undefined) errors.push(`pvc ${name} is being deleted`);
  }
  return { writes, errors };
}

/** `create Claim data-web-0 Pod web-0 in StatefulSet web success`, or the error. */
export const claimEvent = (set: StatefulSet, claim: string, ordinal: number, error?: string): EventText => ({
  about: set,
  type: error === undefined ? 'Normal' : 'Warning',
  reason: error === undefined ? 'SuccessfulCreate' : 'FailedCreate',
  message: `create Claim ${claim} Pod ${podName(set.metadata.name, ordinal)} in StatefulSet ${set.metadata.name} ${error === undefined ? 'success' : `failed error: ${error}`}`,
});

const hasOwner = (claim: PersistentVolumeClaim | undefined, uid: string): boolean =>
  claim?.metadata.ownerReferences?.some((owner) => owner.uid === uid) ?? false;

/** Whether a claim is owned by an earlier pod of the same name, and will be deleted with it: a new pod would lose it at once. */
export function hasStaleClaim(input: SetInput, ordinal: number): boolean {
  const pod = podName(input.self.metadata.name, ordinal);
  return (
    retentionOf(input)?.whenScaled === true &&
    claimsOf(input, ordinal).some(({ claim }) => claim?.metadata.ownerReferences?.some(({ name }) => name === pod) === true)
  );
}

/** The wanted owners of a pod's claims: the set if they are deleted with it, the pod if it is scaled down and they are deleted then. */
function wantedOwners(input: SetInput, ordinal: number) {
  const retention = retentionOf(input);
  const scaledAway = retention?.whenScaled === true && ordinal >= input.self.spec.replicas;
  return { set: retention?.whenDeleted === true && !scaledAway, pod: scaledAway };
}

/** Pods from one ordinal to below another whose claims do not have the wanted owners, ascending. */
export function misownedOrdinals(input: SetInput, pods: SetPods, from: number, bound: number): readonly number[] {
  const { self: set, cache } = input;
  if (retentionOf(input) === undefined || from >= bound) return [];
  const found = new Set<number>();
  const none = new OrdinalSet();
  const wanted = wantedOwners(input, from);
  for (const template of set.spec.volumeClaimTemplates ?? []) {
    const base = claimBase(template.metadata.name ?? '', set.metadata.name);
    const { present, ownedBy, podOwned } = cache.aggregate(setClaims, storeKey(set.metadata.namespace, base));
    const doubtful = (wants: boolean, owned: OrdinalSet) => (wants ? present.range(from, bound, owned) : owned.range(from, bound));
    for (const ordinals of [doubtful(wanted.set, ownedBy.get(set.metadata.uid) ?? none), doubtful(wanted.pod, podOwned)])
      for (const ordinal of ordinals) {
        const pod = podAt(pods, ordinal);
        const { claim } = claimIn(input, template, ordinal);
        if (pod !== undefined && claim !== undefined && ownerChanges(input, claim, pod, ordinal).length > 0) found.add(ordinal);
      }
  }
  return [...found].sort((a, b) => a - b);
}

export const reown = (input: SetInput, pod: Pod, ordinal: number, otherwise: EventText): readonly Write[] =>
  claimsOf(input, ordinal).flatMap(({ name, claim }) => {
    const ownerReferences = claim === undefined ? [] : ownerChanges(input, claim, pod, ordinal);
    return claim === undefined || ownerReferences.length === 0
      ? []
      : [patchOwners(input.self, name, { uid: claim.metadata.uid, ownerReferences }, otherwise)];
  });

/** The same for claims created with a new pod: the cache has neither yet. */
export const ownNewClaims = (input: SetInput, ordinal: number, otherwise: EventText): readonly Write[] =>
  claimsOf(input, ordinal)
    .filter(({ claim }) => wantedOwners(input, ordinal).set && !hasOwner(claim, input.self.metadata.uid))
    .map(({ name }) => patchOwners(input.self, name, { ownerReferences: [referenceTo(input.self)] }, otherwise));

function patchOwners({ metadata: { namespace } }: StatefulSet, name: string, metadata: object, { message, ...event }: EventText): Write {
  const claim = { kind: 'PersistentVolumeClaim', metadata: present({ namespace, name }) };
  const error = message.replace('{error}', `Could not update claim ${name} for delete policy ownerRefs: {error}`);
  return mergePatch(claim, { metadata }, { patchType: 'strategic', otherwise: { ...event, message: error } });
}

/** Not a controller reference, and not blocking: the claim is deleted with its owner and does not delay it. */
const referenceTo = ({ apiVersion, kind, metadata: { name, uid } }: StatefulSet | Pod): object => ({ apiVersion, kind, name, uid });

/** The list elements of an ownerReferences patch. */
function ownerChanges(input: SetInput, claim: PersistentVolumeClaim, pod: Pod, ordinal: number): readonly object[] {
  const wanted = wantedOwners(input, ordinal);
  const change = (owner: StatefulSet | Pod, wants: boolean): readonly object[] =>
    wants === hasOwner(claim, owner.metadata.uid) ? [] : [wants ? referenceTo(owner) : { $patch: 'delete', uid: owner.metadata.uid }];
  return [...change(input.self, wanted.set), ...change(pod, wanted.pod)];
}

type Volumes = NonNullable<Pod['spec']['volumes']>;

/** `create Pod web-0 in StatefulSet web successful`. With `failed` the text has a placeholder for the error. */
export function podEvent(set: StatefulSet, verb: 'create' | 'update' | 'delete', name: string, failed = false): EventText {
  const reason = `${failed ? 'Failed' : 'Successful'}${{ create: 'Create', update: 'Update', delete: 'Delete' }[verb]}`;
  return {
    about: set,
    type: failed ? 'Warning' : 'Normal',
    reason,
    message: `${verb} Pod ${name} in StatefulSet ${set.metadata.name} ${failed ? 'failed error: {error}' : 'successful'}`,
  };
}

export function failedCreate(set: StatefulSet, pod: string, error: string): Write {
  const { message, ...event } = podEvent(set, 'create', pod, true);
  return { op: 'event', event: { ...event, message: message.replace('{error}', () => error) } };
}

export function createPod({ self: set, names }: SetInput, ordinal: number, revision: Revision): Write {
  const name = podName(set.metadata.name, ordinal);
  const { metadata: { labels, annotations, finalizers } = {}, spec } = revision.template;
  const volumes = volumesFor(set, ordinal, spec.volumes);
  const pod: ObjectInput = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: present({
      name,
      generateName: `${set.metadata.name}-`,
      namespace: set.metadata.namespace,
      labels: { ...labels, [REVISION_LABEL]: revision.name, [names.key('statefulset', 'pod-name')]: name },
      annotations,
      finalizers,
      ownerReferences: [controllerReference(set)],
    }),
    spec: {
      ...spec,
      hostname: name,
      ...(set.spec.serviceName === '' ? {} : { subdomain: set.spec.serviceName }),
      ...(volumes === undefined ? {} : { volumes }),
    },
  };
  return create(pod, { then: podEvent(set, 'create', name) });
}

export const deletePod = (set: StatefulSet, pod: Pod): Write =>
  remove(pod, { then: podEvent(set, 'delete', pod.metadata.name), otherwise: podEvent(set, 'delete', pod.metadata.name, true) });

/** The pod's claims first; they take precedence over volumes with the same names. */
function volumesFor(set: StatefulSet, ordinal: number, others: Volumes | undefined): Volumes | undefined {
  const templates = set.spec.volumeClaimTemplates;
  if (templates === undefined || templates.length === 0) return others;
  const own = templates.map(({ metadata: { name = '' } }) => ({
    name,
    persistentVolumeClaim: { claimName: claimName(name, set.metadata.name, ordinal) },
  }));
  return [...own, ...(others ?? []).filter(({ name }) => !own.some((volume) => volume.name === name))];
}

/** Ordinals of pods that do not mount the set's claims: only adopted pods can be among them. */
export function foreignStorage(set: StatefulSet, pods: SetPods): readonly OrdinalSet[] {
  const templates = set.spec.volumeClaimTemplates;
  if (templates === undefined || templates.length === 0) return [];
  const found: OrdinalSet[] = [];
  for (const [storage, ordinals] of pods.storage) {
    const mounted = storage.split(',');
    if (templates.some(({ metadata }) => !mounted.includes(metadata.name ?? ''))) found.push(ordinals);
  }
  return found;
}

/**
 * Sets a pod's name label and claims, and the owners of its claims. The server will most likely refuse it, but upstream tries. A patch,
 * because the pod may have been adopted in this sync.
 */
export function repairPod(input: SetInput, pods: SetPods, pod: Pod, ordinal: number): readonly Write[] {
  const { self: set, names } = input;
  const { uid, name } = pod.metadata;
  const mounts = !foreignStorage(set, pods).some((ordinals) => ordinals.has(ordinal));
  const claims = mounts ? [] : planClaims(input, ordinal).writes;
  const patch = {
    metadata: { uid, labels: { [names.key('statefulset', 'pod-name')]: name } },
    ...(mounts ? {} : { spec: { volumes: volumesFor(set, ordinal, pod.spec.volumes) } }),
  };
  const failed = podEvent(set, 'update', name, true);
  return [
    ...claims,
    ...reown(input, pod, ordinal, failed),
    mergePatch(pod, patch, { then: podEvent(set, 'update', name), otherwise: failed }),
  ];
}
