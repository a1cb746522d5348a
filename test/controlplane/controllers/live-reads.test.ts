/**
 * Irreversible decisions must not be based on a cache alone: each controller that reads live in upstream does so here. In every scenario a
 * cache lags, and deciding from it would be wrong.
 */
import { describe, expect, it } from 'vitest';
import { simulate } from '../../../src/lab/simulation/index.ts';
import { readScenarios } from '../../../src/lab/vocabulary.ts';

interface Story {
  readonly cluster?: string;
  readonly namespaces?: string;
  readonly until?: string;
  readonly steps: readonly string[];
}

const TEMPLATE = (rest = '') =>
  `template: { metadata: { labels: { app: web } }, spec: { ${rest}containers: [{ name: c, image: "c:1" }] } }`;
const workload = (apiVersion: string, kind: string, spec: string): string =>
  `apply: { apiVersion: ${apiVersion}, kind: ${kind}, metadata: { name: web }, spec: { ${spec} } }`;
const WEB_SERVICE = 'apply: { apiVersion: v1, kind: Service, metadata: { name: web }, spec: { clusterIP: None, selector: { app: web } } }';
const SELECTOR = 'selector: { matchLabels: { app: web } }';

/** An owner is deleted; its controller, whose cache does not show that, must not adopt a later object that matches its selector. */
const adopting = (owner: string, kind: string, orphan: string): Story => ({
  cluster: 'podBehaviors: [{ terminationDelay: 5s }]',
  steps: [
    WEB_SERVICE,
    owner,
    `at: 10s, fault: { lag: controller-manager, kinds: [${kind}], by: 40s, for: 2m }`,
    `at: 15s, delete: { target: ${kind}/web, propagationPolicy: Background }`,
    `at: 16s, ${orphan}`,
    // Something that makes a StatefulSet look at what it has.
    ...(owner.includes('StatefulSet') ? ['at: 17s, patch: { target: Pod/web-0, patch: { metadata: { labels: { a: b } } } }'] : []),
    `at: 40s, expect: [{ cel: "objects('${kind}').size() == 0" }, { cel: "objects('${/kind: (\w+)/.exec(orphan)?.[1] ?? ''}').exists(o, o.metadata.name == 'web-7' && !has(o.metadata.ownerReferences))" }]`,
  ],
});
const ORPHAN =
  'apply: { apiVersion: v1, kind: Pod, metadata: { name: web-7, labels: { app: web } }, spec: { nodeName: node-0, restartPolicy: Never, containers: [{ name: c, image: "c:1" }] } }';

const REVISION =
  'apply: { apiVersion: apps/v1, kind: ControllerRevision, metadata: { name: web-7, labels: { app: web } }, revision: 7, data: { spec: {} } }';

const CLAIM =
  'apply: { apiVersion: v1, kind: PersistentVolumeClaim, metadata: { name: data }, spec: { storageClassName: disks, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } } }';
const pod = (name: string, node: string, rest = ''): string =>
  `apply: { apiVersion: v1, kind: Pod, metadata: { name: ${name} }, spec: { nodeName: ${node}, containers: [{ name: c, image: "c:1" }]${rest} } }`;

const DISKS = 'storageDrivers: [{ name: disks.example, provisionDelay: 200ms, storageClasses: [{ name: disks }] }]';
const HOST_VOLUME =
  'apply: { apiVersion: v1, kind: PersistentVolume, metadata: { name: host }, spec: { capacity: { storage: 1Gi }, accessModes: [ReadWriteOnce], persistentVolumeReclaimPolicy: Delete, hostPath: { path: /tmp/data } } }';
const HOST_CLAIM =
  'apply: { apiVersion: v1, kind: PersistentVolumeClaim, metadata: { name: data }, spec: { volumeName: host, storageClassName: "", accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } } }';
const NAMED_POD = (app: string): string =>
  `apply: { apiVersion: v1, kind: Pod, metadata: { name: p, labels: { app: ${app} } }, spec: { nodeName: node-0, restartPolicy: Never, containers: [{ name: c, image: "c:1" }] } }`;

const STORIES: Readonly<Record<string, Story>> = {
  'a ReplicaSet adopts': adopting(workload('apps/v1', 'ReplicaSet', `replicas: 1, ${SELECTOR}, ${TEMPLATE()}`), 'ReplicaSet', ORPHAN),
  'a Deployment adopts': adopting(
    workload('apps/v1', 'Deployment', `replicas: 1, ${SELECTOR}, ${TEMPLATE()}`),
    'Deployment',
    workload('apps/v1', 'ReplicaSet', `replicas: 1, ${SELECTOR}, ${TEMPLATE()}`).replace('name: web', 'name: web-7, labels: { app: web }'),
  ),
  'a StatefulSet adopts': adopting(
    workload('apps/v1', 'StatefulSet', `replicas: 1, serviceName: web, ${SELECTOR}, ${TEMPLATE()}`),
    'StatefulSet',
    ORPHAN,
  ),
  'a StatefulSet adopts a revision': adopting(
    workload('apps/v1', 'StatefulSet', `replicas: 1, serviceName: web, ${SELECTOR}, ${TEMPLATE()}`),
    'StatefulSet',
    REVISION,
  ),
  'a DaemonSet adopts a revision': adopting(workload('apps/v1', 'DaemonSet', `${SELECTOR}, ${TEMPLATE()}`), 'DaemonSet', REVISION),
  'a DaemonSet adopts': adopting(workload('apps/v1', 'DaemonSet', `${SELECTOR}, ${TEMPLATE()}`), 'DaemonSet', ORPHAN),
  'a Job adopts': adopting(
    workload('batch/v1', 'Job', `manualSelector: true, ${SELECTOR}, ${TEMPLATE('restartPolicy: Never, ')}`),
    'Job',
    ORPHAN,
  ),
  'a claim goes': {
    cluster: DISKS,
    steps: [
      CLAIM,
      'at: 2s, fault: { lag: controller-manager, kinds: [Pod], by: 10s, for: 1m }',
      `at: 3s, ${pod('user', 'node-0', ', volumes: [{ name: d, persistentVolumeClaim: { claimName: data } }]')}`,
      'at: 5s, delete: PersistentVolumeClaim/data',
      `at: 40s, expect: { cel: "objects('PersistentVolumeClaim').size() == 1" }`,
      'delete: { target: Pod/user, gracePeriodSeconds: 0 }',
      `waitFor: { absent: PersistentVolumeClaim/data, within: 30s }`,
    ],
  },
  'a finished Job goes': {
    cluster: 'podBehaviors: [{ runFor: 2s }]',
    steps: [
      workload('batch/v1', 'Job', `ttlSecondsAfterFinished: 20, ${TEMPLATE('restartPolicy: Never, ')}`),
      'at: 5s, fault: { lag: controller-manager, kinds: [Job], by: 1m, for: 3m }',
      'at: 10s, patch: { target: Job/web, patch: { spec: { ttlSecondsAfterFinished: 100 } } }',
      `at: 50s, expect: { cel: "objects('Job').exists(j, !has(j.metadata.deletionTimestamp))" }`,
      'waitFor: { absent: Job/web, within: 2m }',
    ],
  },
  'pods of a missing node go': {
    steps: [
      'at: 1s, fault: { lag: controller-manager, kinds: [Node], by: 3m, for: 5m }',
      pod('early', 'late'),
      'at: 10s, apply: { apiVersion: v1, kind: Node, metadata: { name: late } }',
      `at: 2m30s, expect: { cel: "objects('Pod').size() == 1" }`,
    ],
  },
  'a namespace goes': {
    namespaces: 'namespaces: [team]',
    steps: [
      'at: 1s, fault: { lag: controller-manager, kinds: [Secret], by: 30s, for: 2m }',
      'at: 2s, apply: { apiVersion: v1, kind: Secret, metadata: { name: unseen, namespace: team } }',
      'at: 3s, delete: Namespace/team',
      `at: 20s, expect: { cel: "objects('Namespace').exists(n, n.metadata.name == 'team')" }`,
      'waitFor: { absent: Namespace/team, within: 2m }',
      `expect: { cel: "objects('Secret', 'team').size() == 0" }`,
    ],
  },
  'a Job counts as missing': {
    until: '2m',
    steps: [
      `apply: { apiVersion: batch/v1, kind: CronJob, metadata: { name: web }, spec: { schedule: "* * * * *", jobTemplate: { spec: { ${TEMPLATE('restartPolicy: Never, ')} } } } }`,
      'at: 30s, fault: { lag: controller-manager, kinds: [Job], by: 20s, for: 2m }',
      `at: 75s, expect: [{ cel: "objects('CronJob').all(c, c.status.active.size() == 1)" }, { cel: "objects('Event').all(e, e.reason != 'MissingJob')" }]`,
    ],
  },
  'a Job counts as unexpected': {
    until: '2m',
    steps: [
      `apply: { apiVersion: batch/v1, kind: CronJob, metadata: { name: web }, spec: { schedule: "* * * * *", jobTemplate: { spec: { ${TEMPLATE('restartPolicy: Never, ')} } } } }`,
      'at: 30s, fault: { lag: controller-manager, kinds: [CronJob], by: 20s, for: 2m }',
      `at: 75s, expect: [{ cel: "objects('Job').size() == 1" }, { cel: "objects('Event').all(e, e.reason != 'UnexpectedJob')" }]`,
    ],
  },
  'a volume is released': {
    cluster: `latency: { api: 10ms, watch: 10ms }, ${DISKS}`,
    steps: [
      `at: 10s, ${CLAIM}`,
      'at: 25s, fault: { relist: controller-manager, kinds: [PersistentVolumeClaim], staleBy: 20s }',
      `at: 60s, expect: { cel: "objects('PersistentVolume').exists(v, v.status.phase == 'Bound' && !has(v.metadata.deletionTimestamp))" }`,
    ],
  },
  'a driver deletes a volume': {
    cluster: DISKS,
    steps: [
      'apply: { apiVersion: v1, kind: PersistentVolume, metadata: { name: made, annotations: { pv.orch.io/provisioned-by: disks.example } }, spec: { storageClassName: disks, capacity: { storage: 1Gi }, accessModes: [ReadWriteOnce], persistentVolumeReclaimPolicy: Delete, csi: { driver: disks.example, volumeHandle: made } } }',
      CLAIM.replace('storageClassName', 'volumeName: made, storageClassName'),
      'at: 5s, fault: { lag: storage-driver/disks.example, kinds: [PersistentVolume], by: 20s, for: 2m }',
      'at: 6s, delete: PersistentVolumeClaim/data',
      'at: 10s, patch: { target: PersistentVolume/made, patch: { spec: { persistentVolumeReclaimPolicy: Retain } } }',
      `at: 60s, expect: { cel: "objects('PersistentVolume').size() == 1" }`,
    ],
  },
  'a volume on a host is deleted': {
    steps: [
      HOST_VOLUME,
      HOST_CLAIM,
      'at: 5s, fault: { lag: controller-manager, kinds: [PersistentVolume], by: 20s, for: 2m }',
      'at: 6s, delete: PersistentVolumeClaim/data',
      'at: 10s, patch: { target: PersistentVolume/host, patch: { spec: { claimRef: null } } }',
      `at: 60s, expect: { cel: "objects('PersistentVolume').exists(v, v.metadata.name == 'host' && v.status.phase == 'Available')" }`,
    ],
  },
  'a namespace is emptied': {
    namespaces: 'namespaces: [team]',
    steps: [
      'at: 5s, delete: Namespace/team',
      'at: 15s, apply: [{ apiVersion: v1, kind: Namespace, metadata: { name: team } }, { apiVersion: v1, kind: Secret, metadata: { name: mine, namespace: team } }]',
      'at: 20s, fault: { lag: controller-manager, kinds: [Namespace], by: 40s, for: 2m }',
      'at: 21s, fault: { relist: controller-manager, kinds: [Namespace], staleBy: 13s }',
      `at: 50s, expect: { cel: "objects('Secret', 'team').exists(s, s.metadata.name == 'mine')" }`,
    ],
  },
  'an agent writes the status of a pod': {
    cluster:
      'podBehaviors: [{ selector: { matchLabels: { app: old } }, runFor: 9s }, { selector: { matchLabels: { app: new } }, startDelay: 1m }]',
    steps: [
      NAMED_POD('old'),
      'at: 5s, fault: { lag: agent/node-0, kinds: [Pod], by: 20s, for: 2m }',
      'at: 6s, delete: { target: Pod/p, gracePeriodSeconds: 0 }',
      `at: 7s, ${NAMED_POD('new')}`,
      `at: 24s, expect: { cel: "objects('Pod').all(p, p.metadata.labels.app == 'new' && p.status.phase == 'Pending')" }`,
    ],
  },
};

/** What carries the uid or the resourceVersion of what the cache shows: the server refuses it where that is no longer so. */
const PRECONDITIONS: Readonly<Record<string, Story>> = {
  'a StatefulSet deletes the pod that it saw, and no namesake': {
    steps: [
      WEB_SERVICE,
      workload('apps/v1', 'StatefulSet', `replicas: 2, serviceName: web, ${SELECTOR}, ${TEMPLATE()}`),
      'at: 10s, fault: { lag: controller-manager, kinds: [Pod], by: 30s, for: 2m }',
      'at: 12s, delete: { target: Pod/web-1, gracePeriodSeconds: 0 }',
      'at: 13s, apply: { apiVersion: v1, kind: Pod, metadata: { name: web-1 }, spec: { nodeName: node-0, containers: [{ name: c, image: "c:1" }] } }',
      'at: 15s, patch: { target: StatefulSet/web, patch: { spec: { replicas: 1 } } }',
      `at: 35s, expect: { cel: "objects('Pod').exists(p, p.metadata.name == 'web-1' && !has(p.metadata.deletionTimestamp))" }`,
    ],
  },
  'an agent ends the pod that it ran, and no namesake': {
    cluster: 'podBehaviors: [{ terminationDelay: 10s }]',
    steps: [
      NAMED_POD('old'),
      'at: 5s, delete: Pod/p',
      'at: 6s, fault: { lag: agent/node-0, kinds: [Pod], by: 20s, for: 2m }',
      'at: 8s, delete: { target: Pod/p, gracePeriodSeconds: 0 }',
      `at: 9s, ${NAMED_POD('new')}`,
      `at: 24s, expect: { cel: "objects('Pod').exists(p, p.metadata.labels.app == 'new' && !has(p.metadata.deletionTimestamp))" }`,
    ],
  },
  'a set adopts the pod that it saw, and no namesake': {
    steps: [
      workload('apps/v1', 'ReplicaSet', `replicas: 1, ${SELECTOR}, ${TEMPLATE()}`),
      'at: 5s, fault: { lag: controller-manager, kinds: [Pod], by: 10s, for: 1m }',
      `at: 6s, ${NAMED_POD('web')}`,
      'at: 8s, delete: { target: Pod/p, gracePeriodSeconds: 0 }',
      `at: 9s, ${NAMED_POD('other')}`,
      `at: 17s, expect: { cel: "objects('Pod').all(p, p.metadata.name != 'p' || !has(p.metadata.ownerReferences))" }`,
    ],
  },
  'a node gets a taint beside those that the cache does not show': {
    steps: [
      'at: 5s, fault: { lag: controller-manager, kinds: [Node], by: 10s, for: 1m }',
      'at: 6s, patch: { target: Node/node-0, patch: { spec: { unschedulable: true } } }',
      'at: 7s, patch: { target: Node/node-0, patch: { spec: { taints: [{ key: mine, effect: NoSchedule }] } } }',
      // The cache shows the taint half a second later, and would hide what was lost.
      `at: 16500ms, expect: { cel: "objects('Node').all(n, n.spec.taints.exists(t, t.key == 'mine'))" }`,
      `at: 40s, expect: { cel: "objects('Node').all(n, n.spec.taints.exists(t, t.key == 'mine') && n.spec.taints.exists(t, t.key.endsWith('unschedulable')))" }`,
    ],
  },
  'a claim keeps the finalizers that the cache does not show': {
    cluster: DISKS,
    steps: [
      CLAIM,
      'at: 3s, fault: { lag: controller-manager, kinds: [PersistentVolumeClaim], by: 20s, for: 2m }',
      'at: 4s, patch: { target: PersistentVolumeClaim/data, type: merge, patch: { metadata: { finalizers: [] } } }',
      'at: 6s, patch: { target: PersistentVolumeClaim/data, type: merge, patch: { metadata: { finalizers: [example.com/mine] } } }',
      `at: 25s, expect: { cel: "objects('PersistentVolumeClaim').exists(c, c.metadata.finalizers.exists(f, f == 'example.com/mine'))" }`,
    ],
  },
  'a volume is called released only as last seen': {
    steps: [
      HOST_VOLUME,
      HOST_CLAIM,
      'at: 5s, fault: { lag: controller-manager, kinds: [PersistentVolume], by: 20s, for: 2m }',
      'at: 6s, patch: { target: PersistentVolume/host, patch: { spec: { claimRef: null } } }',
      'at: 7s, delete: PersistentVolumeClaim/data',
      `at: 20s, expect: { cel: "objects('PersistentVolume').all(v, v.status.phase != 'Released')" }`,
    ],
  },
};

function run({ cluster = '', namespaces = 'namespaces: []', until, steps }: Story) {
  const nodes = `nodes: { count: 1 }`;
  const read = readScenarios(
    `apiVersion: scenario.orch.io/v1\nkind: Scenario\nmetadata: { name: live }\nspec:\n  ${namespaces}\n${until === undefined ? '' : `  until: ${until}\n`}  cluster: { ${nodes}, ${cluster} }\n  steps:\n${steps.map((step) => `    - { ${step} }`).join('\n')}\n`,
  );
  if ('problems' in read) throw new Error(JSON.stringify(read.problems));
  const [scenario] = read.scenarios;
  if (scenario === undefined) throw new Error('no scenario');
  return simulate(scenario, { trace: true });
}

function holds(story: Story): void {
  const { verdict, failures } = run(story);
  expect({ verdict, failures: verdict === 'held' ? undefined : failures }).toEqual({ verdict: 'held', failures: undefined });
}

describe('a live read comes before', () => {
  it.each(Object.entries(STORIES))('%s', (_, story) => {
    holds(story);
  });

  it('a node becomes Unknown, so that a lagging cache costs refusals and no time', () => {
    const unknownAt = (...lag: readonly string[]) => {
      const { trace } = run({
        steps: [
          ...lag,
          'at: 6s, patch: { target: Node/node-0, patch: { metadata: { labels: { a: b } } } }',
          'at: 10s, fault: { nodeDown: node-0 }',
          'at: 70s, note: It is silent.',
        ],
      });
      const written = trace?.entries.flatMap((entry) =>
        entry.type === 'write' && entry.change.kind === 'Node' && JSON.stringify(entry.change.object).includes('NodeStatusUnknown')
          ? [entry.at]
          : [],
      );
      return written?.[0];
    };
    const usual = unknownAt();
    expect(usual).toBeDefined();
    // With a lagging cache the last renewal may count from a later pass, but never from a much later one.
    const late = unknownAt('at: 5s, fault: { lag: controller-manager, kinds: [Node], by: 1m, for: 5m }');
    expect(Math.abs((late ?? 0) - (usual ?? 0))).toBeLessThanOrEqual(10_000);
  });
});

describe('the server refuses what rests on an old cache:', () => {
  it.each(Object.entries(PRECONDITIONS))('%s', (_, story) => {
    holds(story);
  });
});
