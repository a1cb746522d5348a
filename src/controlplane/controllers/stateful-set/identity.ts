/**
 * The identity of a set's pods: name, network identity, claims; the creation of pods, and the repair of adopted ones. Models: v1.24
 * pkg/controller/statefulset newStatefulSetPod, updateIdentity, updateStorage, pkg/controller GetPodFromTemplate.
 */
import type { ObjectInput } from '../../../apiserver/machinery/index.ts';
import type { Pod, StatefulSet } from '../../../apiserver/kinds/index.ts';
import { create, remove, type EventText, type Write } from '../../runtime/index.ts';
import { controllerReference, mergePatch, type OrdinalSet, present } from '../../shared/index.ts';
import { planClaims, reown } from './claims.ts';
import type { SetInput } from './input.ts';
import { claimName, podName, REVISION_LABEL } from './traits.ts';
import type { SetPods } from './pods.ts';
import type { Revision } from './revisions.ts';

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
