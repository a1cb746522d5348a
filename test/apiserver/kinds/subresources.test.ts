/** Each kind has its status apart: an update of the object keeps it, and an update of the status keeps everything else. */
import { expect, it } from 'vitest';
import { kindsFor } from '../../../src/apiserver/kinds/index.ts';
import { type ApiObject, namesFor, type ObjectInput } from '../../../src/apiserver/machinery/index.ts';
import { setup } from '../handlers/setup.ts';

const registry = kindsFor(namesFor('k8s.io'));
const containers = [{ name: 'c', image: 'i' }];
const template = { metadata: { labels: { a: 'b' } }, spec: { containers } };
const selector = { matchLabels: { a: 'b' } };
const jobTemplate = { spec: { restartPolicy: 'Never', containers } };
const reference = { kind: 'Deployment', name: 'd' };
const storage = { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' }, hostPath: { path: '/x' } };
const info = [
  'machineID',
  'systemUUID',
  'bootID',
  'kernelVersion',
  'osImage',
  'containerRuntimeVersion',
  'kubeletVersion',
  'kubeProxyVersion',
];
const nodeInfo = Object.fromEntries([...info, 'operatingSystem', 'architecture'].map((name) => [name, '']));
const suspended = { type: 'Suspended', status: 'True' };
const unset = { lastProbeTime: null, lastTransitionTime: null };

interface Case {
  readonly kind: string;
  readonly name?: string;
  readonly spec: object;
  readonly change: object;
  readonly status: object;
  /** What is stored of the status, where that is more. */
  readonly stored?: object;
  /** Whether a change of the specification is counted. */
  readonly counts?: true;
}

const CASES: readonly Case[] = [
  {
    kind: 'Job',
    spec: { template: jobTemplate },
    change: { parallelism: 7 },
    status: { active: 1, conditions: [suspended] },
    stored: { active: 1, conditions: [{ ...suspended, ...unset }] },
    counts: true,
  },
  { kind: 'Pod', spec: { containers }, change: { activeDeadlineSeconds: 5 }, status: { phase: 'Running', podIP: '1.1.1.1' } },
  {
    kind: 'Node',
    spec: { podCIDR: '10.0.0.0/24', podCIDRs: ['10.0.0.0/24'] },
    change: { unschedulable: true },
    status: { capacity: { cpu: '1' } },
    // By default all capacity is allocatable.
    stored: { capacity: { cpu: '1' }, allocatable: { cpu: '1' }, daemonEndpoints: { kubeletEndpoint: { Port: 0 } }, nodeInfo },
  },
  {
    kind: 'StatefulSet',
    spec: { serviceName: 's', selector, template },
    change: { replicas: 7 },
    status: { replicas: 3, readyReplicas: 1 },
    stored: { replicas: 3, readyReplicas: 1, availableReplicas: 0 },
    counts: true,
  },
  { kind: 'Deployment', spec: { selector, template }, change: { replicas: 7 }, status: { replicas: 3, readyReplicas: 2 }, counts: true },
  {
    kind: 'ReplicaSet',
    spec: { selector, template },
    change: { replicas: 7 },
    status: { replicas: 3, fullyLabeledReplicas: 1 },
    counts: true,
  },
  {
    kind: 'DaemonSet',
    spec: { selector, template },
    change: { minReadySeconds: 7 },
    status: { currentNumberScheduled: 1, desiredNumberScheduled: 2 },
    stored: { currentNumberScheduled: 1, numberMisscheduled: 0, desiredNumberScheduled: 2, numberReady: 0 },
    counts: true,
  },
  {
    kind: 'CronJob',
    spec: { schedule: '* * * * *', jobTemplate: { spec: { template: jobTemplate } } },
    change: { suspend: true },
    status: { lastScheduleTime: '2024-03-01T00:00:00Z' },
    counts: true,
  },
  {
    kind: 'PersistentVolume',
    spec: storage,
    change: { persistentVolumeReclaimPolicy: 'Delete' },
    status: { phase: 'Available', reason: 'r' },
  },
  {
    kind: 'PersistentVolumeClaim',
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    change: { volumeName: 'v' },
    status: { phase: 'Bound', capacity: { storage: '1Gi' } },
  },
  {
    kind: 'Service',
    spec: { type: 'LoadBalancer', ports: [{ port: 80 }] },
    change: { sessionAffinity: 'ClientIP' },
    status: { loadBalancer: { ingress: [{ ip: '1.1.1.1' }] } },
  },
  {
    kind: 'ResourceQuota',
    spec: { hard: { pods: '1' } },
    change: { hard: { pods: '2' } },
    status: { hard: { pods: '1' }, used: { pods: '0' } },
  },
  {
    kind: 'PodDisruptionBudget',
    spec: { minAvailable: 1, selector },
    change: { minAvailable: 2 },
    status: { disruptionsAllowed: 1, currentHealthy: 2, desiredHealthy: 1, expectedPods: 2 },
    counts: true,
  },
  {
    kind: 'HorizontalPodAutoscaler',
    spec: { scaleTargetRef: reference, maxReplicas: 3 },
    change: { maxReplicas: 4 },
    status: { currentReplicas: 1, desiredReplicas: 2 },
    stored: { currentReplicas: 1, desiredReplicas: 2, currentMetrics: null },
  },
  {
    kind: 'Ingress',
    spec: { defaultBackend: { service: { name: 'a', port: { number: 1 } } } },
    change: { ingressClassName: 'c' },
    status: { loadBalancer: { ingress: [{ hostname: 'a.b' }] } },
    counts: true,
  },
  {
    kind: 'APIService',
    name: 'v1.a.b',
    spec: { group: 'a.b', version: 'v1', groupPriorityMinimum: 1, versionPriority: 1 },
    change: { versionPriority: 2 },
    status: { conditions: [{ type: 'Available', status: 'True' }] },
    // Services of the server itself are always available.
    stored: {
      conditions: [
        { type: 'Available', status: 'True', lastTransitionTime: null, reason: 'Local', message: 'Local APIServices are always available' },
      ],
    },
  },
];

it.each(CASES)('$kind', ({ kind, name = 'x', spec, change, status, stored = status, counts }) => {
  const found = registry.byKind(kind);
  if (found === undefined) throw new Error(`no kind ${kind}`);
  const { ok } = setup();
  const at = { kind, name, ...(found.namespaced ? { namespace: 'default' } : {}) };
  const body = { apiVersion: registry.apiVersionOf(found), kind, metadata: { name }, spec } as ObjectInput;
  ok({ verb: 'create', ...at, body: { ...body, status } });
  const get = (): ApiObject => ok({ verb: 'get', ...at });
  const made = get();
  const changed = (object: ApiObject, of: object) =>
    ({ ...object, spec: { ...(object['spec'] as object), ...change }, ...of }) as unknown as ObjectInput;

  ok({ verb: 'update', ...at, subresource: 'status', body: changed(made, { status }) });
  const observed = get();
  expect([observed['spec'], observed['status']]).toEqual([made['spec'], stored]);
  expect(observed.metadata.generation).toBe(made.metadata.generation);

  ok({ verb: 'update', ...at, body: changed(observed, { status: made['status'] }) });
  const wanted = get();
  expect(wanted['spec']).toMatchObject(change);
  expect(wanted['status']).toEqual(stored);
  expect(wanted.metadata.generation).toBe(counts === true ? 2 : made.metadata.generation);
});
