/** The inputs of decisions about a pod, and their view of the node. */
import type { Names } from '../../../apiserver/machinery/index.ts';
import type { Node, Pod } from '../../../apiserver/kinds/index.ts';
import type { Outcome, ReconcileInput } from '../../runtime/index.ts';
import type { AgentSettings, GivenSettings, StorageDriver } from '../specs.ts';
import type { Behavior, Run } from './containers.ts';
import type { AgentState, Action } from './actions.ts';
import type { Cores } from './cores/index.ts';
import type { Gate, Capacity } from './admission/index.ts';
import type { EvictionPart } from './eviction/part.ts';
import { hasImages, type PullContext, type Registry } from './images/index.ts';
import type { MachineView } from './machine.ts';
import type { SandboxOffer } from './container-introspection.ts';
import type { Inquiry, PodVolume } from './volumes.ts';

export interface PodMemory {
  readonly uid: string;
  /** When the pod is synced again because another client marked it. */
  readonly syncAt?: number;
  /** The results of live reads about its volumes, while they continue. */
  readonly inquiry?: Inquiry;
  /** Its volumes, once all claims are bound. */
  readonly volumes?: readonly PodVolume[];
  /** The node as it was read when everything was attached, and metadata of attachments so far, by volume. */
  readonly attached?: { readonly node: Node | undefined; readonly brought: ReadonlyMap<string, Readonly<Record<string, string>>> };
}
/** `now` is elapsed time, as for containers; `wall` is for times in objects. */
export type PodInput = Omit<ReconcileInput<Pod, PodMemory, AgentState>, 'self'>;
export type PodOutcome = Outcome<PodMemory, Action>;

export interface NodeContext extends Pick<AgentSettings, 'runtimeTimeoutMs' | 'shutdown' | 'syncMs' | 'allowedSysctls' | 'alone'> {
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
  readonly pulls?: { readonly registry: Registry; context(input: PodInput): PullContext };
  readonly drivers: readonly StorageDriver[];
  /** The handlers of its runtime; absent: every handler. */
  readonly handlers: readonly string[] | undefined;
}

export const waitsForImages = (pod: Pod, { pulls }: NodeContext): boolean => pulls !== undefined && hasImages(pod, pulls.registry);

/** The state of a pod's volumes: none needed, a claim is not bound, a live read failed, or all are known. */
export type Volumes =
  | 'not needed'
  | 'unbound'
  | 'no answer'
  | {
      readonly found: readonly PodVolume[];
      readonly node: Node | undefined;
      readonly brought?: NonNullable<PodMemory['attached']>['brought'];
    };

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

export const sandboxOffer = ({ handlers, nodeName, given, alone }: NodeContext, { cache }: PodInput): SandboxOffer => ({
  handlers,
  given,
  podCIDR: (alone ?? cache.get('Node', undefined, nodeName)?.spec)?.podCIDR,
});

export const gateOf = (
  { machine, nodeName, allowedSysctls, capacityOf, cores }: NodeContext,
  { cache, names, now, state }: PodInput,
): Gate => ({
  machine,
  names,
  now,
  pressures: state.eviction.pressures,
  allowedSysctls,
  node: cache.get('Node', undefined, nodeName),
  capacityOf,
  cores,
  pods: () => cache.by('Pod', 'nodeName', nodeName),
});
