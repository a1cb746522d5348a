/** Waits run on elapsed time: setting the wall clock back or ahead during a wait makes nothing late or early. */
import { describe, expect, it } from 'vitest';
import { simulate } from '../../../src/lab/simulation/index.ts';
import type { Entry } from '../../../src/lab/trace/index.ts';
import { readScenarios } from '../../../src/lab/vocabulary.ts';

type Write = Extract<Entry, { readonly type: 'write' }>;

interface Case {
  readonly process: string;
  readonly cluster: string;
  readonly steps: readonly string[];
  /** The skew of the clock; default: five minutes. */
  readonly by?: string;
  /** When the clock is skewed: during the wait. */
  readonly skewAt: string;
  /** The write that ends the wait. */
  readonly ends: (write: Write) => boolean;
}

const CLAIM =
  'apply: { apiVersion: v1, kind: PersistentVolumeClaim, metadata: { name: data }, spec: { storageClassName: disks, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } } }';
const POD =
  'apply: { apiVersion: v1, kind: Pod, metadata: { name: user }, spec: { containers: [{ name: c, image: "c:1", volumeMounts: [{ name: d, mountPath: /d }] }], volumes: [{ name: d, persistentVolumeClaim: { claimName: data } }] } }';
const DRIVER = (delays: string) =>
  `storageDrivers: [{ name: disks.example, ${delays}, storageClasses: [{ name: disks, allowVolumeExpansion: true }] }]`;
const WEB =
  'apply: [{ apiVersion: apps/v1, kind: Deployment, metadata: { name: web }, spec: { replicas: 1, selector: { matchLabels: { app: web } }, template: { metadata: { labels: { app: web } }, spec: { containers: [{ name: c, image: "c:1" }] } } } }, { apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, metadata: { name: web }, spec: { scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: web }, minReplicas: 3, maxReplicas: 5, metrics: [{ type: Resource, resource: { name: cpu, target: { type: Utilization, averageUtilization: 50 } } }] } }]';

const CASES: Readonly<Record<string, Case>> = {
  'attach-detach: the next tick of its loop': {
    process: 'controller-manager',
    cluster: DRIVER('provisionDelay: 200ms, attachDelay: 300ms, detachDelay: 300ms'),
    steps: [CLAIM, `at: 3s, ${POD}`, 'at: 10s, delete: { target: Pod/user, gracePeriodSeconds: 0 }'],
    skewAt: '8s',
    ends: ({ change }) => change.kind === 'VolumeAttachment' && change.type === 'DELETED',
  },
  'a driver that attaches': {
    process: 'storage-driver/disks.example',
    cluster: DRIVER('provisionDelay: 200ms, attachDelay: 20s'),
    steps: [CLAIM, `at: 3s, ${POD}`],
    skewAt: '8s',
    ends: ({ change }) => change.kind === 'VolumeAttachment' && (change.object['status'] as { attached?: boolean }).attached === true,
  },
  'a driver that provisions': {
    process: 'storage-driver/disks.example',
    cluster: DRIVER('provisionDelay: 20s'),
    steps: [CLAIM],
    skewAt: '8s',
    ends: ({ change }) => change.kind === 'PersistentVolume' && change.type === 'ADDED',
  },
  'an autoscaler: its next look': {
    process: 'controller-manager',
    cluster: '',
    steps: [WEB],
    skewAt: '5s',
    ends: ({ change, controller }) => change.kind === 'Deployment' && controller === 'horizontal-pod-autoscaler',
  },
  'pod-gc: its next tick': {
    process: 'controller-manager',
    cluster: '',
    steps: [
      'apply: { apiVersion: v1, kind: Pod, metadata: { name: lost }, spec: { nodeName: nowhere, containers: [{ name: c, image: "c:1" }] } }',
    ],
    skewAt: '5s',
    ends: ({ change }) => change.kind === 'Pod' && change.type === 'DELETED',
  },
  'a claim that nothing matches: the next resync': {
    process: 'controller-manager',
    cluster: '',
    steps: [
      'apply: { apiVersion: v1, kind: PersistentVolumeClaim, metadata: { name: data }, spec: { storageClassName: "", accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } } }',
      'at: 20s, apply: { apiVersion: v1, kind: PersistentVolume, metadata: { name: host }, spec: { capacity: { storage: 1Gi }, accessModes: [ReadWriteOnce], hostPath: { path: /tmp/data } } }',
    ],
    // Five minutes and seven seconds are no multiple of a resync.
    by: '307s',
    skewAt: '5s',
    ends: ({ change }) =>
      change.kind === 'PersistentVolumeClaim' && (change.object['status'] as { phase?: string } | undefined)?.phase === 'Bound',
  },
  'a node: the pass that calls it unknown': {
    process: 'controller-manager',
    cluster: '',
    steps: ['at: 7s, fault: { nodeDown: node-0 }', 'at: 120s, note: It is silent.'],
    skewAt: '12s',
    ends: ({ change, controller }) =>
      change.kind === 'Node' && controller === 'node-lifecycle' && JSON.stringify(change.object).includes('NodeStatusUnknown'),
  },
  'an agent: a container starts': {
    process: 'agent/node-0',
    cluster: 'podBehaviors: [{ startDelay: 20s }]',
    steps: ['apply: { apiVersion: v1, kind: Pod, metadata: { name: p }, spec: { containers: [{ name: c, image: "c:1" }] } }'],
    skewAt: '8s',
    ends: ({ change }) => change.kind === 'Pod' && (change.object['status'] as { phase?: string }).phase === 'Running',
  },
  'an agent: a container is ready': {
    process: 'agent/node-0',
    cluster: 'podBehaviors: [{ readyDelay: 20s }]',
    steps: ['apply: { apiVersion: v1, kind: Pod, metadata: { name: p }, spec: { containers: [{ name: c, image: "c:1" }] } }'],
    skewAt: '8s',
    ends: ({ change }) => change.kind === 'Pod' && JSON.stringify(change.object['status']).includes('"ready":true'),
  },
  'an agent: a container ends': {
    process: 'agent/node-0',
    cluster: 'podBehaviors: [{ runFor: 20s }]',
    steps: [
      'apply: { apiVersion: v1, kind: Pod, metadata: { name: p }, spec: { restartPolicy: Never, containers: [{ name: c, image: "c:1" }] } }',
    ],
    skewAt: '8s',
    ends: ({ change }) => change.kind === 'Pod' && (change.object['status'] as { phase?: string }).phase === 'Succeeded',
  },
  'an agent: a container that failed starts again': {
    process: 'agent/node-0',
    cluster: 'podBehaviors: [{ runFor: 1s, exitCodes: [1] }]',
    steps: ['apply: { apiVersion: v1, kind: Pod, metadata: { name: p }, spec: { containers: [{ name: c, image: "c:1" }] } }'],
    skewAt: '8s',
    ends: ({ change }) => change.kind === 'Pod' && JSON.stringify(change.object['status']).includes('"restartCount":2'),
  },
  'an agent: a pod that is deleted has its time': {
    process: 'agent/node-0',
    cluster: 'podBehaviors: [{ terminationDelay: 20s }]',
    steps: [
      'apply: { apiVersion: v1, kind: Pod, metadata: { name: p }, spec: { terminationGracePeriodSeconds: 60, containers: [{ name: c, image: "c:1" }] } }',
      'at: 5s, delete: Pod/p',
    ],
    skewAt: '8s',
    ends: ({ change }) => change.kind === 'Pod' && change.type === 'DELETED',
  },
  'an agent: the grace period ends': {
    process: 'agent/node-0',
    cluster: 'podBehaviors: [{ terminationDelay: 90s }]',
    steps: [
      'apply: { apiVersion: v1, kind: Pod, metadata: { name: p }, spec: { terminationGracePeriodSeconds: 20, containers: [{ name: c, image: "c:1" }] } }',
      'at: 5s, delete: Pod/p',
    ],
    skewAt: '8s',
    ends: ({ change }) => change.kind === 'Pod' && change.type === 'DELETED',
  },
};

function endsAt({ process, cluster, steps, skewAt, ends }: Case, skew: string | undefined): number | undefined {
  const fault = skew === undefined ? [] : [`    - { at: ${skewAt}, fault: { skew: ${process}, ${skew} } }`];
  const order = (line: string): number => Number(/at: (\d+)s/.exec(line)?.[1] ?? 0);
  const lines = [...steps.map((step) => `    - { ${step} }`), ...fault].sort((a, b) => order(a) - order(b));
  const read = readScenarios(
    `apiVersion: scenario.orch.io/v1\nkind: Scenario\nmetadata: { name: elapsed }\nspec:\n  until: 3m\n  cluster: { nodes: { count: 1 }, ${cluster} }\n  steps:\n${lines.join('\n')}\n`,
  );
  if ('problems' in read) throw new Error(JSON.stringify(read.problems));
  const [scenario] = read.scenarios;
  if (scenario === undefined) throw new Error('no scenario');
  const { trace } = simulate(scenario, { trace: true });
  const found = trace?.entries.find((entry) => entry.type === 'write' && ends(entry));
  return found === undefined ? undefined : found.at - (trace?.startAt ?? 0);
}

describe('a wait', () => {
  it.each(Object.entries(CASES))('ends when it would, whatever the wall clock says: %s', (_, each) => {
    const usual = endsAt(each, undefined);
    expect(usual).toBeGreaterThan(0);
    const { by = '5m' } = each;
    expect(endsAt(each, `by: ${by}, behind: true`)).toBe(usual);
    expect(endsAt(each, `by: ${by}`)).toBe(usual);
  });
});
