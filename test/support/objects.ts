/** Objects for tests, complete enough to be used as stored ones. A test sets the members that it is about. */
import type { Job, Node, Pod } from '../../src/apiserver/kinds/index.ts';
import type { OwnerReference } from '../../src/apiserver/machinery/index.ts';

export const AT = '2024-01-01T00:00:00Z';
export const at = (seconds: number): number => Date.UTC(2024, 0, 1) + seconds * 1000;
let revision = 0;

interface Meta {
  readonly name?: string;
  readonly uid?: string;
  readonly [field: string]: unknown;
}

const meta = (name: string, more: Meta): Record<string, unknown> => ({
  name,
  namespace: 'default',
  uid: `uid-${name}`,
  resourceVersion: String(++revision),
  creationTimestamp: AT,
  ...more,
});

/** Returns a Job as the server stores it. */
export function jobOf(name: string, spec: Partial<Job['spec']> = {}, status: Partial<Job['status']> = {}, more: Meta = {}): Job {
  const uid = `uid-${name}`;
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: meta(name, { generation: 1, ...more }),
    spec: {
      parallelism: 1,
      completions: 1,
      backoffLimit: 6,
      completionMode: 'NonIndexed',
      suspend: false,
      selector: { matchLabels: { 'controller-uid': uid } },
      template: {
        metadata: { labels: { 'controller-uid': uid, 'job-name': name } },
        spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'sim:1' }] },
      },
      ...spec,
    },
    status,
  } as unknown as Job;
}

/** Returns a pod of a Job in a phase. */
export function podOf(
  job: Job,
  name: string,
  phase = 'Running',
  more: { readonly meta?: Meta; readonly spec?: object; readonly status?: object } = {},
): Pod {
  const owner: OwnerReference = {
    apiVersion: 'batch/v1',
    kind: 'Job',
    name: job.metadata.name,
    uid: job.metadata.uid,
    controller: true,
    blockOwnerDeletion: true,
  };
  return barePod(name, phase, { ...more, meta: { labels: job.spec.template.metadata?.labels, ownerReferences: [owner], ...more.meta } });
}

/** Returns a pod without a controller. */
export const barePod = (
  name: string,
  phase = 'Running',
  more: { readonly meta?: Meta; readonly spec?: object; readonly status?: object } = {},
): Pod =>
  ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: meta(name, more.meta ?? {}),
    spec: { nodeName: 'node-0', restartPolicy: 'Never', containers: [{ name: 'c', image: 'sim:1' }], ...more.spec },
    status: { phase, conditions: phase === 'Running' ? [{ type: 'Ready', status: 'True', lastTransitionTime: AT }] : [], ...more.status },
  }) as unknown as Pod;

export const nodeOf = (name: string): Node =>
  ({ apiVersion: 'v1', kind: 'Node', metadata: meta(name, { namespace: undefined }), spec: {}, status: {} }) as unknown as Node;
