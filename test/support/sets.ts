/** StatefulSets, their pods, revisions and claims for tests, as the server stores them. */
import type { ControllerRevision, PersistentVolumeClaim, Pod, StatefulSet } from '../../src/apiserver/kinds/index.ts';
import type { OwnerReference } from '../../src/apiserver/machinery/index.ts';
import { templatePatch } from '../../src/controlplane/shared/index.ts';
import { AT, barePod } from './objects.ts';

interface Meta {
  readonly [field: string]: unknown;
}
let revisions = 0;

/** Its template runs an image; another image gives another revision. */
export function setOf(
  name: string,
  spec: Partial<StatefulSet['spec']> & { readonly image?: string } = {},
  status: Partial<StatefulSet['status']> = {},
  meta: Meta = {},
): StatefulSet {
  const { image = 'sim:1', ...rest } = spec;
  return {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: {
      name,
      namespace: 'default',
      uid: `uid-${name}`,
      resourceVersion: String(++revisions),
      generation: 1,
      creationTimestamp: AT,
      ...meta,
    },
    spec: {
      replicas: 3,
      serviceName: name,
      podManagementPolicy: 'OrderedReady',
      revisionHistoryLimit: 10,
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
      selector: { matchLabels: { app: name } },
      template: { metadata: { labels: { app: name } }, spec: { restartPolicy: 'Always', containers: [{ name: 'c', image }] } },
      ...rest,
    },
    status: { replicas: 0, availableReplicas: 0, ...status },
  } as unknown as StatefulSet;
}

const ownerOf = (set: StatefulSet): OwnerReference => ({
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  name: set.metadata.name,
  uid: set.metadata.uid,
  controller: true,
  blockOwnerDeletion: true,
});

/** Returns the revision of a set's template. */
export const revisionOf = (set: StatefulSet, name: string, revision: number, meta: Meta = {}): ControllerRevision =>
  ({
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    data: templatePatch(set.spec.template).data,
    revision,
    metadata: {
      name,
      namespace: 'default',
      uid: `uid-${name}`,
      resourceVersion: String(++revisions),
      creationTimestamp: AT,
      labels: { app: set.metadata.name },
      ownerReferences: [ownerOf(set)],
      ...meta,
    },
  }) as unknown as ControllerRevision;

interface PodMore {
  readonly revision?: string;
  readonly meta?: Meta;
  readonly spec?: object;
  readonly status?: object;
  readonly ready?: boolean;
}

/** Returns a pod of a set, by default running and ready. */
export function setPod(
  set: StatefulSet,
  ordinal: number,
  { revision = 'r1', meta = {}, spec = {}, status = {}, ready = true }: PodMore = {},
): Pod {
  const name = `${set.metadata.name}-${ordinal}`;
  const labels = { app: set.metadata.name, 'controller-revision-hash': revision, 'statefulset.kubernetes.io/pod-name': name };
  return barePod(name, 'Running', {
    meta: { labels, ownerReferences: [ownerOf(set)], ...meta },
    spec: { hostname: name, ...spec },
    status: { conditions: [{ type: 'Ready', status: ready ? 'True' : 'False', lastTransitionTime: AT }], ...status },
  });
}
export const dying = { deletionTimestamp: AT } as const;

/** Returns the claim of a set's pod. */
export const claimOf = (set: StatefulSet, template: string, ordinal: number, meta: Meta = {}): PersistentVolumeClaim =>
  ({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    spec: {},
    status: {},
    metadata: {
      name: `${template}-${set.metadata.name}-${ordinal}`,
      namespace: 'default',
      uid: `uid-${template}-${set.metadata.name}-${ordinal}`,
      resourceVersion: String(++revisions),
      creationTimestamp: AT,
      ...meta,
    },
  }) as unknown as PersistentVolumeClaim;

/** Returns claim templates. */
export const claimTemplates = (...names: readonly string[]) =>
  names.map((name) => ({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name },
    spec: { accessModes: ['ReadWriteOnce'] },
    status: {},
  })) as unknown as NonNullable<StatefulSet['spec']['volumeClaimTemplates']>;
