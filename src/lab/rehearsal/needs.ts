/** The cluster that manifests need: nodes with the labels, zones and room that their pods ask for, storage for their claims, namespaces. */
import type { ClusterSpec, Manifest, NamespaceSpec, NodeSpec } from '../scenario/index.ts';
import type { PodSpec } from '../../apiserver/machinery/index.ts';
import { requestsOf } from '../../controlplane/shared/index.ts';
import { compareText, membersOf, own } from '../../schema/values/index.ts';

/** A workload of manifests: what it runs, and how many of it. */
export interface Workload {
  readonly object: Manifest;
  readonly replicas: number;
  readonly spec: PodSpec;
}

/** The workloads of manifests; those of other forms are refused when they are applied. */
export function workloadsOf(objects: readonly Manifest[]): readonly Workload[] {
  return objects.flatMap((object): readonly Workload[] => {
    const spec = membersOf(object['spec']);
    const job = membersOf(membersOf(spec['jobTemplate'])['spec']);
    const template = object.kind === 'Pod' ? object : membersOf(spec['template'] ?? job['template']);
    const pod = membersOf(template['spec']);
    if (!Array.isArray(pod['containers'])) return [];
    const stated = spec['replicas'] ?? spec['parallelism'] ?? job['parallelism'];
    return [{ object, replicas: typeof stated === 'number' ? stated : 1, spec: requesting(pod as PodSpec) }];
  });
}

/** Limits are requests where a manifest states no others, as the server will have it. */
const requesting = (spec: PodSpec): PodSpec => ({
  ...spec,
  containers: spec.containers.map((each) => ({
    ...each,
    resources: { ...each.resources, requests: { ...each.resources?.limits, ...each.resources?.requests } },
  })),
});

const GIB = 1024 * 1024 * 1024;
const ROOM = { milliCpu: 4_000, memory: 16 * GIB, pods: 110 } as const;
const LEAST_NODES = 3;
const MOST_NODES = 500;
const ZONE = 'topology.kubernetes.io/zone';
const HOST = 'kubernetes.io/hostname';

/** The nodes that workloads fit on while one of them is drained and others roll. */
export function nodesFor(workloads: readonly Workload[], least = LEAST_NODES): readonly NodeSpec[] {
  let [cpu, memory, pods, largestCpu, largestMemory, apart] = [0, 0, 0, 0, 0, 0];
  const others = new Map<string, number>();
  for (const { replicas, spec, object } of workloads) {
    const { requests } = requestsOf(spec);
    const times = object.kind === 'DaemonSet' ? 0 : replicas;
    cpu += requests.milliCpu * times;
    memory += requests.memory * times;
    pods += times;
    largestCpu = Math.max(largestCpu, requests.milliCpu);
    largestMemory = Math.max(largestMemory, requests.memory);
    for (const [name, amount] of requests.others) others.set(name, (others.get(name) ?? 0) + amount * Math.max(replicas, 1));
    if (keepsApart(spec)) apart = Math.max(apart, times);
  }
  const room = { milliCpu: Math.max(ROOM.milliCpu, largestCpu * 2), memory: Math.max(ROOM.memory, largestMemory * 2) };
  // A third is left free for what rolls, and a node for the one that is drained.
  const filled = Math.max((cpu * 1.5) / room.milliCpu, (memory * 1.5) / room.memory, (pods * 1.5) / ROOM.pods);
  const groups = labelGroups(workloads);
  const count = Math.min(Math.max(least, Math.ceil(filled) + 1, apart === 0 ? 0 : apart + 2) * groups.length, MOST_NODES);
  const capacity = {
    cpu: String(Math.ceil(room.milliCpu / 1000)),
    memory: room.memory % GIB === 0 ? `${room.memory / GIB}Gi` : String(room.memory),
    pods: String(ROOM.pods),
    ...Object.fromEntries([...others].map(([name, amount]) => [name, String(amount)])),
  };
  return Array.from({ length: count }, (_, at) => ({
    name: `node-${at}`,
    capacity,
    labels: { [ZONE]: 'abc'[Math.floor(at / groups.length) % 3] ?? 'a', ...groups[at % groups.length], [HOST]: `node-${at}` },
  }));
}

/** Whether no two of its pods may share a node. */
const keepsApart = ({ affinity }: PodSpec): boolean =>
  affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.some(({ topologyKey }) => topologyKey === HOST) === true;

/** The labels that pods ask for, by node selector: one group of nodes where they do not contradict one another. */
function labelGroups(workloads: readonly Workload[]): readonly Readonly<Record<string, string>>[] {
  const groups: Record<string, string>[] = [{}];
  for (const { spec } of workloads) {
    const asked = labelsAsked(spec);
    const fits = groups.find((group) => asked.every(([key, value]) => (own(group, key) ?? value) === value));
    if (fits === undefined) groups.push(Object.fromEntries(asked));
    else Object.assign(fits, Object.fromEntries(asked));
  }
  return groups;
}

function labelsAsked({ nodeSelector = {}, affinity }: PodSpec): readonly (readonly [string, string])[] {
  const [term] = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  const required = (term?.matchExpressions ?? []).flatMap(({ key, operator, values = [] }): readonly (readonly [string, string])[] =>
    operator === 'In' || operator === 'Exists' ? [[key, values[0] ?? 'yes']] : [],
  );
  return [...Object.entries(nodeSelector), ...required].filter(([key]) => key !== HOST && key !== ZONE);
}

const DRIVER = 'disks.example';
const DELAYS = { attachDelayMs: 1_000, detachDelayMs: 1_000, provisionDelayMs: 2_000, expandDelayMs: 2_000 } as const;

/** A simulated driver for each class that manifests define or claims name. */
export function storageFor(objects: readonly Manifest[]): ClusterSpec['storageDrivers'] {
  const classes = new Map<string, string>();
  const asked = new Set<string | undefined>();
  const ask = (spec: unknown): void => {
    const name = membersOf(spec)['storageClassName'];
    if (name !== '') asked.add(typeof name === 'string' ? name : undefined);
  };
  for (const object of objects) {
    const spec = membersOf(object['spec']);
    if (object.kind === 'StorageClass') classes.set(String(object.metadata?.['name']), String(object['provisioner']));
    if (object.kind === 'PersistentVolumeClaim') ask(spec);
    for (const each of Array.isArray(spec['volumeClaimTemplates']) ? (spec['volumeClaimTemplates'] as readonly unknown[]) : [])
      ask(membersOf(each)['spec']);
  }
  const made = [...asked].filter((name) => name === undefined || !classes.has(name));
  const named = made.flatMap((name) => name ?? []).sort(compareText);
  const isDefaultMade = asked.has(undefined) && !hasDefault(objects);
  const storageClasses = [
    ...named.map((name) => ({ name, allowVolumeExpansion: true })),
    ...(isDefaultMade ? [{ name: 'standard', isDefault: true, allowVolumeExpansion: true }] : []),
  ];
  const ours = storageClasses.length === 0 ? [] : [{ name: DRIVER, ...DELAYS, storageClasses }];
  const provisioners = [...new Set(classes.values())].filter((name) => !name.endsWith('no-provisioner')).sort(compareText);
  return [...ours, ...provisioners.map((name) => ({ name, ...DELAYS, storageClasses: [] }))];
}

const hasDefault = (objects: readonly Manifest[]): boolean =>
  objects.some(
    ({ kind, metadata }) =>
      kind === 'StorageClass' && membersOf(metadata?.['annotations'])['storageclass.kubernetes.io/is-default-class'] === 'true',
  );

const PRESENT: ReadonlySet<string> = new Set(['default', 'kube-system', 'kube-public', 'kube-node-lease']);

/** The namespaces that objects speak of and do not bring. */
export function namespacesFor(objects: readonly Manifest[]): readonly NamespaceSpec[] {
  const brought = new Set(objects.flatMap(({ kind, metadata }) => (kind === 'Namespace' ? [String(metadata?.['name'])] : [])));
  const spoken = objects.flatMap(({ metadata }) => (typeof metadata?.['namespace'] === 'string' ? [metadata['namespace']] : []));
  return [...new Set(spoken)].filter((name) => !brought.has(name) && !PRESENT.has(name)).map((name) => ({ name }));
}
