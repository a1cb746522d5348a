/** A ReplicaSet and its pods as the server stores them. */
import type { Pod, ReplicaSet } from '../../../../src/apiserver/kinds/index.ts';
import { replicaSet } from '../../../../src/controlplane/controllers/replica-set/controller.ts';
import { formatTime } from '../../../../src/schema/values/index.ts';
import { at, AT, barePod } from '../../../support/objects.ts';
import { decide, linesOf, type Situation } from '../../../support/reconcile.ts';

const labels = { app: 'web', tier: 'x' };
export const owner = (uid = 'uid-web', name = 'web') => [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name, uid, controller: true }];
export const set = (replicas: number, status: object = {}, more: { meta?: object; spec?: object } = {}): ReplicaSet =>
  ({
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: 'web',
      namespace: 'default',
      uid: 'uid-web',
      resourceVersion: '1',
      generation: 3,
      creationTimestamp: AT,
      ...more.meta,
    },
    spec: {
      replicas,
      selector: { matchLabels: { app: 'web' } },
      template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'c:1' }] } },
      ...more.spec,
    },
    status,
  }) as unknown as ReplicaSet;
/** A pod of the set, ready since a second. */
export const pod = (name: string, since: number | null = 0, more: { meta?: object; status?: object; phase?: string } = {}): Pod =>
  barePod(name, more.phase ?? 'Running', {
    meta: { labels, ownerReferences: owner(), ...more.meta },
    status: {
      conditions: since === null ? [] : [{ type: 'Ready', status: 'True', lastTransitionTime: formatTime(at(since)) }],
      ...more.status,
    },
  });
export const counts = (replicas: number, ready = replicas, available = ready) => ({
  replicas,
  fullyLabeledReplicas: replicas,
  readyReplicas: ready,
  availableReplicas: available,
  observedGeneration: 3,
});
export const FAILURE = { type: 'ReplicaFailure', status: 'True', lastTransitionTime: AT, reason: 'FailedCreate', message: 'before' };
export const dying = { deletionTimestamp: AT };
export const lines = (objects: Situation['objects'], more: Partial<Situation> = {}) =>
  linesOf(decide(replicaSet, { objects, now: at(60), ...more }));
