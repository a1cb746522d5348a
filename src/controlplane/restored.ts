/** A cluster that begins with the objects of another one: its store, its machines, and the agents that are down from the start. */
import type { ApiObject, Names } from '../apiserver/machinery/index.ts';
import { restoreObjects } from '../apiserver/handlers/index.ts';
import type { WritableStore } from '../apiserver/store/index.ts';
import { adoptPods, createWorld, type AgentOptions, type NodeSpec, type World } from './agents/index.ts';
import type { ObserverBus, ProcessSpec, Runtime, RuntimeContext } from './runtime/index.ts';
import { claimsOf, uniqueVolumeName } from './shared/index.ts';

/** The objects of another cluster, canonical, in the order of their revisions. */
export type InitialState = readonly ApiObject[];

/** How long before the start the objects are restored: they are not part of the run. */
export const RESTORED_BEFORE_MS = 1;

/** The machines of a cluster, with the addresses that restored nodes and pods have. */
export function worldFor(
  latency: RuntimeContext['latency']['api'],
  startAt: number,
  images: AgentOptions['images'] = [],
  from: InitialState = [],
): World {
  const hosts = new Map<string, string>();
  const taken: string[] = [];
  for (const { kind, metadata, status } of from as readonly (ApiObject & { status?: Reported })[]) {
    const address = kind === 'Node' ? status?.addresses?.find(({ type }) => type === 'InternalIP')?.address : undefined;
    if (address !== undefined) hosts.set(metadata.name, address);
    if (kind === 'Pod' && status?.podIP !== undefined) taken.push(status.podIP);
  }
  return createWorld(typeof latency === 'number' ? latency : latency.min, { images, startAt, hosts, taken });
}

/** The uids of a dump: the server draws others, also where the same seed drew them before. */
export const takenUidsOf = (from: InitialState | undefined): { readonly takenUids?: ReadonlySet<string> } =>
  from === undefined ? {} : { takenUids: new Set(from.map(({ metadata }) => metadata.uid)) };

interface Reported {
  readonly podIP?: string;
  readonly addresses?: readonly { readonly type: string; readonly address: string }[];
}

interface Restored {
  readonly store: WritableStore;
  readonly names: Names;
  readonly agentOptions: AgentOptions;
  readonly startAt: number;
  readonly kernel: { readonly now: number };
  readonly observerBus: Pick<ObserverBus, 'draw'>;
}

/** Fills the store, and puts the containers of its pods on their machines. */
export function restore(from: InitialState, { store, names, agentOptions, startAt, kernel, observerBus }: Restored): void {
  restoreObjects(from, { store, now: () => kernel.now, entry: () => observerBus.draw() });
  adoptPods(agentOptions.world, {
    pods: store.values('Pod'),
    behaviors: agentOptions.podBehaviors,
    names,
    now: startAt,
    volumesOf(pod) {
      const used = store.get('Node', pod.spec.nodeName ?? '')?.status.volumesInUse ?? [];
      return claimsOf(pod).flatMap((key) => {
        const volume = store.get('PersistentVolumeClaim', key)?.spec.volumeName ?? '';
        const csi = store.get('PersistentVolume', volume)?.spec.csi;
        if (csi === undefined) return [];
        const name = uniqueVolumeName(names, csi.driver, csi.volumeHandle);
        return used.includes(name) ? [name] : [];
      });
    },
  });
}

interface Starting {
  readonly options: {
    readonly from?: InitialState;
    readonly nodes?: readonly NodeSpec[];
    alter?(process: ProcessSpec): ProcessSpec;
  };
  readonly runtime: Pick<Runtime, 'add'>;
  readonly kernel: { readonly now: number };
  readonly startAt: number;
}

/** Returns how processes are started: at once, or with restored objects at the start of the run; agents of silent nodes do not start. */
export function starterOf({ options, runtime, kernel, startAt }: Starting): (process: ProcessSpec) => void {
  const silent = new Set((options.nodes ?? []).flatMap(({ name, restored }) => (restored === 'down' ? [`agent/${name}`] : [])));
  const at = options.from === undefined ? kernel.now : startAt;
  return (process) => runtime.add(options.alter?.(process) ?? process, silent.has(process.name) ? Infinity : at);
}
