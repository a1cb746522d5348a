/** The inputs of decisions about a pod, their view of the node, and the options of the pod runner that both come from. */
import { lastOf, memo } from '../../../engine/index.ts';
import { present } from '../../../schema/values/index.ts';
import type { Node, Pod } from '../../../apiserver/kinds/index.ts';
import type { Names } from '../../../apiserver/machinery/index.ts';
import type { Outcome, ReconcileInput } from '../../runtime/index.ts';
import type { CredentialsFor, PodBehavior, PodSource, StorageDriver } from '../specs.ts';
import { type AgentSettings, type GivenSettings, milliseconds } from './configuration.ts';
import type { AgentState, Action } from './actions.ts';
import { behaviorsBy, type Behavior, type Run } from './containers.ts';
import type { EvictionPart } from './eviction/manager.ts';
import type { Machine, MachineView, World } from './machine.ts';
import type { Inquiry, PodVolume } from './volumes.ts';
import { capacityReader, type Capacity } from './admission/resources.ts';
import type { Cores } from './cores/admit.ts';
import { hasImages, type Pulls } from './images/pull.ts';
import type { Registry } from './images/store.ts';

/** The metadata of attachments, by volume. */
export type Brought = ReadonlyMap<string, Readonly<Record<string, string>>>;

/** The node as it was read when everything was attached, and metadata of attachments so far. */
interface Attached {
  readonly node: Node | undefined;
  readonly brought: Brought;
}

export interface PodMemory {
  readonly uid: string;
  /** When the pod is synced again because another client marked it. */
  readonly syncAt?: number;
  /** The results of live reads about its volumes, while they continue. */
  readonly inquiry?: Inquiry;
  /** Known once all claims are bound. */
  readonly volumes?: readonly PodVolume[];
  readonly attached?: Attached;
}
/** `now` is elapsed time, as for containers; `wall` is for times in objects. */
export type PodInput = Omit<ReconcileInput<Pod, PodMemory, AgentState>, 'self'>;
export type PodOutcome = Outcome<PodMemory, Action>;

export interface NodeContext {
  readonly alone: AgentSettings['alone'];
  readonly shutdown: AgentSettings['shutdown'];
  readonly runtimeTimeoutMs: number;
  /** Every pod is synced after at most this time: only then is a mark of another client noticed. */
  readonly syncMs: number;
  /** Allowed sysctls besides the safe ones; `*` at the end makes a prefix. */
  readonly allowedSysctls: readonly string[];
  readonly nodeName: string;
  readonly machine: MachineView;
  behaviorOf(pod: Pod, names: Names): Behavior;
  readonly recordsEvents: boolean;
  /** The agent reports nothing, and runs only the pods of its first sync. */
  readonly once: boolean;
  /** The agent attaches volumes, not the attach-detach controller. */
  readonly attachesItself: boolean;
  /** Names and limits of pods; absent: not configured. */
  readonly given?: GivenSettings | undefined;
  /** Allocates exclusive CPUs and memory; absent: there are none. */
  readonly cores?: Cores | undefined;
  /** The allocatable amounts of the node, by its Node, or by the machine where there is no Node. */
  capacityOf(node: Node | undefined): Capacity;
  /** Usage and eviction; absent: usage is not described. */
  readonly evicts?: EvictionPart | undefined;
  /** How images are pulled; absent: every image is present. */
  readonly pulls?: Pulls;
  readonly drivers: readonly StorageDriver[];
  /** The handlers of its runtime; absent: every handler. */
  readonly handlers: readonly string[] | undefined;
}

export const waitsForImages = (pod: Pod, { pulls }: NodeContext): boolean => pulls !== undefined && hasImages(pod, pulls.registry);

/** The state of a pod's volumes: none needed, a claim is not bound, a live read failed, or all are known. */
export type Volumes = 'not needed' | 'unbound' | 'no answer' | (Attached & { readonly found: readonly PodVolume[] });

/** A pod and its containers at the instant of a decision, before volumes are considered. */
export interface View {
  readonly pod: Pod;
  /** The state stored on the machine. */
  readonly before: Run | undefined;
  readonly run: Run;
  /** Attempts of the owner's other pods. */
  readonly others: number;
  readonly deadline: number;
  readonly expired: boolean;
}

/** The address range of a node's pods; undefined or empty: the cluster's. */
export const podRangeOf = ({ nodeName, alone }: NodeContext, { cache }: PodInput): string | undefined =>
  (alone ?? cache.get('Node', undefined, nodeName)?.spec)?.podCIDR;

/** Whether a pod mounts claims, ephemeral volumes included. */
export const hasClaims = ({ spec }: Pod): boolean =>
  spec.volumes?.some(({ persistentVolumeClaim, ephemeral }) => persistentVolumeClaim !== undefined || ephemeral !== undefined) === true;

/** Whether a pod has volumes that its spec describes itself. */
export const hasInlineVolumes = ({ spec }: Pod): boolean => spec.volumes?.some(({ csi }) => csi !== undefined) === true;

/** Whether a sandbox can fail at all: most nodes offer everything. */
export const needsSandbox = (pod: Pod, nodeContext: NodeContext, input: PodInput): boolean =>
  nodeContext.given?.resolvers !== undefined ||
  pod.spec.setHostnameAsFQDN === true ||
  (nodeContext.handlers !== undefined && pod.spec.runtimeClassName !== undefined) ||
  hasRange(pod, podRangeOf(nodeContext, input));

export const hasRange = (pod: Pod, podCIDR: string | undefined): podCIDR is string =>
  podCIDR !== undefined && podCIDR !== '' && pod.spec.hostNetwork !== true;

export interface SourcesPart {
  readonly sources: readonly PodSource[];
  readonly settings: AgentSettings;
  /** The machine's name in scenarios. */
  readonly machineName: string;
  readonly startAt: number;
}

type FromOptions = 'nodeName' | 'recordsEvents' | 'given' | 'cores' | 'evicts' | 'drivers' | 'handlers';

export interface PodRunnerOptions extends Pick<NodeContext, FromOptions> {
  readonly settings: AgentSettings;
  readonly machine: Machine;
  readonly behaviors: readonly PodBehavior[];
  readonly world: Pick<World, 'begins'>;
  readonly processName: string;
  /** The allocatable amounts of the machine, where there is no Node. */
  allocatable(): Readonly<Record<string, string>>;
  /** The registry of images; absent: every image is present. */
  readonly registry?: Registry | undefined;
  readonly credentialsFor?: CredentialsFor | undefined;
  onStart?(): void;
  /** Further state of the agent, as plain data. */
  remembers?(): unknown;
  /** Absent: there are no static pods. */
  readonly sources?: SourcesPart | undefined;
}

export function nodeContextOf(options: PodRunnerOptions): NodeContext & { readonly machine: Machine } {
  const { nodeName, machine, behaviors, world, processName, settings, allocatable, registry, credentialsFor } = options;
  const behaviorFor = lastOf((names: Names) => behaviorsBy(behaviors, names));
  const readRoom = capacityReader(settings.isolatesStorage);
  const own = memo<{ allocatable: Readonly<Record<string, string>> | undefined }>({ allocatable: undefined });
  // Members before spreads, so that all agents have one hidden class.
  return {
    behaviorOf(pod, names) {
      const behavior = behaviorFor(names)(pod);
      return world.begins?.(processName, pod) === true ? { ...behavior, readyDelayMs: Infinity, runForMs: undefined } : behavior;
    },
    capacityOf: (node) => readRoom(node?.status.allocatable ?? (own.allocatable ??= allocatable())),
    alone: settings.alone,
    shutdown: settings.shutdown,
    runtimeTimeoutMs: milliseconds(settings.runtimeRequestTimeout),
    syncMs: milliseconds(settings.syncFrequency),
    allowedSysctls: settings.allowedUnsafeSysctls ?? [],
    attachesItself: settings.attaches === 'agent',
    once: settings.runOnce,
    ...present({ pulls: registry && machine.images && { nodeName, registry, images: machine.images, settings, credentialsFor } }),
    ...options,
  };
}
