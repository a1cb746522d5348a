/** The objects of random scenarios: workloads, their templates, and what users do to their pods. */
import fc from 'fast-check';
import type { Manifest, Step } from '../scenario/index.ts';
import { present } from '../../schema/values/index.ts';
import { deleting, patching } from './steps.ts';

/** The annotation of a pod with the seconds until its containers are ready. */
export const READY = 'sim.orch.io/ready-delay';
/** A template whose pods become ready soon, or never. */
const template = (image: string, ready = true): object => ({
  metadata: { annotations: { [READY]: ready ? '0.3' : '99999' } },
  spec: { containers: [{ name: 'c', image }] },
});
/** Templates of several versions; one in five never becomes ready. */
export const templates: fc.Arbitrary<object> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('sim:1', 'sim:2', 'sim:3').map((image) => template(image)) },
  { weight: 1, arbitrary: fc.constant(template('broken', false)) },
);
/** The template with which every scenario of a workload ends. */
export const LAST_TEMPLATE = template('sim:9');
/** A rolling update, or another type of update; a change of the type drops the details. */
export const rollingOr = (other: string, rollingUpdate: fc.Arbitrary<object>): fc.Arbitrary<object> =>
  fc.oneof(
    { weight: 1, arbitrary: fc.constant({ type: other, rollingUpdate: null }) },
    { weight: 5, arbitrary: rollingUpdate.map((details) => ({ type: 'RollingUpdate', rollingUpdate: details })) },
  );

/** Returns a workload whose pods have the label `app`, with the fields of its spec and of its pods' spec. */
export const workload = (kind: string, app: string, spec: object, pod: object = {}): Manifest => ({
  apiVersion: 'apps/v1',
  kind,
  metadata: { name: app },
  spec: {
    ...spec,
    selector: { matchLabels: { app } },
    template: {
      metadata: { labels: { app }, annotations: { [READY]: '0.3' } },
      spec: { terminationGracePeriodSeconds: 2, containers: [{ name: 'c', image: 'sim:1' }], ...pod },
    },
  },
});
/** Pods leave a silent node after so many seconds; undefined: after the default of five minutes. */
export const tolerating = (tolerationSeconds: number | undefined): object =>
  tolerationSeconds === undefined
    ? {}
    : {
        tolerations: ['not-ready', 'unreachable'].map((key) => ({
          key: `node.orch.io/${key}`,
          operator: 'Exists',
          effect: 'NoExecute',
          tolerationSeconds,
        })),
      };
export const headless = (name: string): Manifest => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name },
  spec: { clusterIP: 'None', selector: { app: name } },
});

/** The claim of a pod for a disk of the driver. */
export const DISK_CLAIM = { storageClassName: 'disks', accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
/** A container that mounts the disk of its pod. */
export const MOUNTING = { name: 'c', image: 'sim:1', volumeMounts: [{ name: 'data', mountPath: '/data' }] };
export const CLAIM_TEMPLATES = { volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: DISK_CLAIM }] };

/** What users do to single pods behind the back of their controller. */
export const accidents = (pods: fc.Arbitrary<object>): fc.Arbitrary<Step> =>
  fc.oneof(
    fc.tuple(pods, fc.constantFrom(undefined, 0)).map(([pod, gracePeriodSeconds]) => deleting(pod, present({ gracePeriodSeconds }))),
    { weight: 2, arbitrary: pods.map((pod) => patching(pod, { status: { phase: 'Failed' } }, 'status')) },
    pods.map((pod) => patching(pod, { metadata: { labels: { app: 'else' } } })),
    pods.map((pod) => patching(pod, { metadata: { ownerReferences: null } })),
  );

/** One of the objects of a kind with the label `app`, by its place in the order of creation. */
export const someOf = (kind: string, app: string): fc.Arbitrary<object> =>
  fc.integer({ min: 1, max: 6 }).map((nth) => ({ kind, labels: { app }, nth }));
