/**
 * What a dump lacks and a cluster has: `kubectl get all` prints no nodes, leases, namespaces and revisions. They are made as they must have
 * been, so that controllers find what they left, and each is said once.
 */
import type { DaemonSet, HorizontalPodAutoscaler, Lease, Node, Pod, StatefulSet } from '../../apiserver/kinds/index.ts';
import type { ApiObject } from '../../apiserver/machinery/index.ts';
import { formatMicroTime, formatTime, plural, pushTo } from '../../schema/values/index.ts';
import { conditionOf, requestsOf, revisionOf } from '../../controlplane/shared/index.ts';
import { missingNamespaces } from './missing-namespaces.ts';
import { storageDriversOf } from './machines.ts';
import { madeUid, type Made, type Make, type State, objectsOf } from './state.ts';

/** The objects that are missing, in the order in which they are made. */
export function missing(state: State): Made {
  const number = { next: 0x1000_0000 };
  const make: Make = ({ metadata: { name = '', ...metadata }, ...object }) => ({
    ...object,
    metadata: { name, ...metadata, uid: madeUid(number.next++), resourceVersion: '', creationTimestamp: formatTime(state.now) },
  });
  const nodes = missingNodes(state, make);
  const parts = [
    missingNamespaces(state, make),
    nodes,
    missingLeases({ ...state, objects: [...state.objects, ...nodes.made] }, make),
    missingRevisions(state, make),
    missingDrivers({ ...state, objects: [...state.objects, ...nodes.made] }, make),
  ];
  return { made: parts.flatMap(({ made }) => made), notes: [...parts.flatMap(({ notes }) => notes), ...missingMetrics(state)] };
}

/** A node for each name that pods speak of, with room for what runs there. */
function missingNodes(state: State, make: Make): Made {
  const there = new Set(objectsOf(state, 'Node').map(({ metadata }) => metadata.name));
  const byNode = new Map<string, Pod[]>();
  for (const pod of objectsOf<Pod>(state, 'Pod')) {
    const { nodeName } = pod.spec;
    if (nodeName !== undefined && nodeName !== '' && !there.has(nodeName)) pushTo(byNode, nodeName, pod);
  }
  const at = formatTime(state.now);
  const made = [...byNode].map(([name, pods]) => {
    const resources = roomFor(pods);
    const address = pods.find(({ status }) => status.hostIP !== undefined)?.status.hostIP;
    return make({
      apiVersion: 'v1',
      kind: 'Node',
      metadata: {
        name,
        labels: { [state.names.key('', 'hostname')]: name, [state.names.key('', 'os')]: 'linux', [state.names.key('', 'arch')]: 'amd64' },
      },
      spec: {},
      status: {
        capacity: resources,
        allocatable: resources,
        conditions: [
          {
            type: 'Ready',
            status: 'True',
            reason: 'KubeletReady',
            message: 'made for the pods of a dump',
            lastHeartbeatTime: at,
            lastTransitionTime: at,
          },
        ],
        addresses: [...(address === undefined ? [] : [{ type: 'InternalIP', address }]), { type: 'Hostname', address: name }],
        nodeInfo: { machineID: name },
      },
    });
  });
  const only = there.size === 0 ? 'the dump has no nodes' : `the dump lacks ${plural(made.length, 'node')}`;
  const are = made.length === 1 ? 'is' : 'are';
  return noted(made, `${only}: ${made.length} ${are} made, for the names that pods speak of, with the capacity of what runs there`);
}

/** What is made, with what is said about it, if anything is. */
const noted = (made: readonly ApiObject[], note: string): Made => ({ made, notes: made.length === 0 ? [] : [note] });

const LEAST = { cpu: 4_000, memory: 8 * 1024 * 1024 * 1024 } as const;
const PODS = 110;

function roomFor(pods: readonly Pod[]): Readonly<Record<string, string>> {
  let [cpu, memory] = [0, 0];
  const others = new Map<string, number>();
  for (const { spec } of pods) {
    const { requests } = requestsOf(spec);
    cpu += requests.milliCpu;
    memory += requests.memory;
    for (const [name, amount] of requests.others) others.set(name, (others.get(name) ?? 0) + amount);
  }
  return {
    cpu: `${Math.max(LEAST.cpu, Math.ceil(cpu / 1000) * 1000) / 1000}`,
    memory: String(Math.max(LEAST.memory, memory)),
    pods: String(Math.max(PODS, pods.length)),
    ...Object.fromEntries([...others].map(([name, amount]) => [name, String(amount)])),
  };
}

/** A lease that is held, for each node that is not silent. */
function missingLeases(state: State, make: Make): Made {
  const { names, now } = state;
  const there = new Set(
    objectsOf<Lease>(state, 'Lease').flatMap(({ metadata }) => (metadata.namespace === names.nodeLeaseNamespace ? [metadata.name] : [])),
  );
  const nodes = objectsOf<Node>(state, 'Node').filter(
    ({ metadata, status }) => !there.has(metadata.name) && conditionOf(status.conditions, 'Ready')?.status !== 'Unknown',
  );
  const made = nodes.map(({ metadata: { name, uid } }) =>
    make({
      apiVersion: `${names.group('coordination')}/v1`,
      kind: 'Lease',
      metadata: { name, namespace: names.nodeLeaseNamespace, ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name, uid }] },
      spec: { holderIdentity: name, leaseDurationSeconds: 40, renewTime: formatMicroTime(now) },
    }),
  );
  return noted(made, `the dump lacks the leases of ${plural(made.length, 'node')}: made, and held`);
}

/** The revision by whose name the pods of a set are known: without it their controllers would replace them all. */
function missingRevisions(state: State, make: Make): Made {
  const there = new Set(objectsOf(state, 'ControllerRevision').map(({ metadata }) => `${metadata.namespace ?? ''}/${metadata.name}`));
  const hashKey = 'controller-revision-hash';
  const made: ApiObject[] = [];
  const add = (set: DaemonSet | StatefulSet, name: string | undefined, hash: string | undefined): void => {
    if (name === undefined || hash === undefined || there.has(`${set.metadata.namespace ?? ''}/${name}`)) return;
    made.push(make(revisionOf(set, name, { [hashKey]: hash }, 1)));
  };
  for (const set of objectsOf<StatefulSet>(state, 'StatefulSet')) add(set, set.status.updateRevision, set.status.updateRevision);
  const newest = new Map<string, { readonly generation: number; readonly hash: string }>();
  for (const { metadata } of objectsOf<Pod>(state, 'Pod')) {
    const owner = metadata.ownerReferences?.find(({ kind, controller }) => kind === 'DaemonSet' && controller === true);
    const hash = metadata.labels?.[hashKey];
    const generation = Number(metadata.labels?.['pod-template-generation'] ?? 0);
    if (owner === undefined || hash === undefined || generation < (newest.get(owner.uid)?.generation ?? 0)) continue;
    newest.set(owner.uid, { generation, hash });
  }
  for (const set of objectsOf<DaemonSet>(state, 'DaemonSet')) {
    const hash = newest.get(set.metadata.uid)?.hash;
    add(set, hash === undefined ? undefined : `${set.metadata.name}-${hash}`, hash);
  }
  return noted(made, `the dump lacks ${plural(made.length, 'ControllerRevision')}: made, from the present templates of their sets`);
}

const missingMetrics = (state: State): readonly string[] => {
  const scalers = objectsOf<HorizontalPodAutoscaler>(state, 'HorizontalPodAutoscaler');
  const unmeasured = scalers.filter(({ status }) => (status?.currentMetrics ?? []).length === 0);
  if (scalers.length === 0) return [];
  return [
    unmeasured.length === scalers.length
      ? 'a dump has no metrics, and the autoscalers had measured nothing: they have no usage to act on, unless spec.cluster.usage states it'
      : 'a dump has no metrics: the targets of autoscalers go on with the usage that these measured last, unless spec.cluster.usage states another',
  ];
};

/** What the agents of nodes say of the drivers there; a dump without any is of other kinds. */
function missingDrivers(state: State, make: Make): Made {
  const drivers = storageDriversOf(state.objects);
  if (drivers.length === 0 || objectsOf(state, 'CSINode').length > 0) return { made: [], notes: [] };
  const made = objectsOf<Node>(state, 'Node').map(({ metadata: { name, uid } }) =>
    make({
      apiVersion: `${state.names.group('storage')}/v1`,
      kind: 'CSINode',
      metadata: { name, ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name, uid }] },
      spec: { drivers: drivers.map((driver) => ({ name: driver.name, nodeID: name, topologyKeys: [] })) },
    }),
  );
  const names = drivers.map(({ name }) => name).join(', ');
  return { made, notes: [`the dump has no CSINodes: made, with a simulated driver for each that is spoken of (${names})`] };
}
