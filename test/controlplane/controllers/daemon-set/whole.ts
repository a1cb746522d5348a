/** A DaemonSet of image `c:2` as the server stores it, with its revisions and pods. */
import type { ControllerRevision, DaemonSet, Pod } from '../../../../src/apiserver/kinds/index.ts';
import { daemonSet } from '../../../../src/controlplane/controllers/daemon-set/controller.ts';
import { templateHash, templatePatch } from '../../../../src/controlplane/shared/index.ts';
import { at, AT, nodeOf } from '../../../support/objects.ts';
import { decide, linesOf, type Situation } from '../../../support/reconcile.ts';
import { podFor } from './objects.ts';

const labels = { app: 'd' };
const templateOf = (image: string, more: object = {}) =>
  ({ metadata: { labels }, spec: { containers: [{ name: 'c', image }], ...more } }) as unknown as DaemonSet['spec']['template'];
export const HASH = templateHash(templateOf('c:2'), undefined);
const owner = (uid = 'uid-d') => [{ apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'd', uid, controller: true, blockOwnerDeletion: true }];
const ROLLING = { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1, maxSurge: 0 } };
export const counts = (desired: number, current: number, ready: number, updated: number) => ({
  currentNumberScheduled: current,
  numberMisscheduled: 0,
  desiredNumberScheduled: desired,
  numberReady: ready,
  observedGeneration: 1,
  ...(updated === 0 ? {} : { updatedNumberScheduled: updated }),
  ...(ready === 0 ? {} : { numberAvailable: ready }),
  ...(desired === ready ? {} : { numberUnavailable: desired - ready }),
});

/** A set of image `c:2`. */
export const set = (spec: object = {}, status: object = {}, meta: object = {}): DaemonSet =>
  ({
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: 'd', namespace: 'default', uid: 'uid-d', resourceVersion: '1', generation: 1, creationTimestamp: AT, ...meta },
    spec: { selector: { matchLabels: labels }, updateStrategy: ROLLING, revisionHistoryLimit: 10, template: templateOf('c:2'), ...spec },
    status,
  }) as unknown as DaemonSet;
export const revision = (image: string, number: number, hash: string | undefined, meta: object = {}): ControllerRevision =>
  ({
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    metadata: {
      name: `d-${number}`,
      namespace: 'default',
      uid: `uid-d-${number}`,
      resourceVersion: '1',
      creationTimestamp: AT,
      labels: { ...labels, ...(hash === undefined ? {} : { 'controller-revision-hash': hash }) },
      ownerReferences: owner(),
      ...meta,
    },
    data: templatePatch(templateOf(image)).data,
    revision: number,
  }) as unknown as ControllerRevision;
/** A pod of the set: of its template by default. */
export const pod = (name: string, node: string, more: Parameters<typeof podFor>[2] = {}, meta: object = {}): Pod => {
  const made = podFor(name, node, { hash: HASH, ...more });
  return {
    ...made,
    metadata: { ...made.metadata, labels: { ...labels, ...made.metadata.labels }, ownerReferences: owner(), ...meta },
  };
};
export const [a, b] = [nodeOf('a'), nodeOf('b')];
export const PRESENT = revision('c:2', 2, HASH);
export const ready = { ready: 0 };
export const lines = (objects: Situation['objects'], situation: Partial<Situation> = {}) =>
  linesOf(decide(daemonSet, { objects, now: at(60), ...situation }));
