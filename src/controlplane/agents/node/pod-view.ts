/** What decisions about one pod are made from, and what they may know of its node. */
import type { Names } from '../../../apiserver/vocabulary/index.ts';
import type { Node, Pod } from '../../../apiserver/kinds/index.ts';
import type { Outcome, ReconcileInput } from '../../runtime/index.ts';
import type { AgentSettings, GivenSettings, StorageDriver } from '../specs.ts';
import type { Behavior } from './behavior.ts';
import type { Run } from './containers.ts';
import type { AgentState, Action } from './actions.ts';
import type { Cores } from './cores/index.ts';
import type { Gate, Room } from './admission/index.ts';
import type { EvictionPart } from './eviction/part.ts';
import { hasImages, type PullContext, type Registry } from './images/index.ts';
import type { MachineView } from './machine.ts';
import type { SandboxOffer } from './sandbox.ts';
import type { Inquiry, PodVolume } from './volumes.ts';

/** What an agent remembers of a pod. */
export interface PodMemory {
  readonly uid: string;
  /** When the pod is looked at anew because somebody marked it. */
  readonly syncAt?: number;
  /** What the server has said of its volumes so far, while it is being asked. */
  readonly inquiry?: Inquiry;
  /** Its volumes, once all claims are bound. */
  readonly volumes?: readonly PodVolume[];
  /** The node as it was seen when all was attached, and what the attachments brought so far, by volume. */
  readonly attached?: { readonly node: Node | undefined; readonly brought: ReadonlyMap<string, Readonly<Record<string, string>>> };
}
/** `now` is elapsed time, which containers run on; what the agent stamps is `wall`. */
export type PodInput = Omit<ReconcileInput<Pod, PodMemory, AgentState>, 'self'>;
export type PodOutcome = Outcome<PodMemory, Action>;

/** The node, as far as a decision may know it. */
export interface NodeContext {
  readonly nodeName: string;
  readonly machine: MachineView;
  behaviorOf(pod: Pod, names: Names): Behavior;
  /** Whether what the containers did is recorded as events. */
  readonly tellsEvents: boolean;
  /** How long it waits for its runtime to create containers. */
  readonly runtimeTimeoutMs: number;
  /** How long it holds a shutdown of its machine up; absent: not at all. */
  readonly shutdown: AgentSettings['shutdown'];
  /** Every pod is looked at anew after this long at most: only then is a mark noticed that others put on it. */
  readonly syncMs: number;
  readonly allowedSysctls: readonly string[];
  /** It reports of nothing, and only what is there at its first look concerns it. */
  readonly once: boolean;
  /** Without an API server: its pods have addresses of this range. */
  readonly alone: { readonly podCIDR: string } | undefined;
  /** Nobody else brings volumes here. */
  readonly attachesItself: boolean;
  /** What pods are given besides; absent: nobody has said anything of that. */
  readonly given?: GivenSettings | undefined;
  /** Hands out processors and memory; absent: nobody has any for himself. */
  readonly cores?: Cores | undefined;
  /** What pods may have of the node together, by what its Node says, or by what the machine has where no Node says anything. */
  roomOf(node: Node | undefined): Room;
  /** What pods use and when one is put out; absent: nobody says. */
  readonly evicts?: EvictionPart;
  /** How it gets images; absent: they are there. */
  readonly pulls?: { readonly registry: Registry; context(input: PodInput): PullContext };
  readonly drivers: readonly StorageDriver[];
  /** What its runtime is configured for; absent: every handler. */
  readonly handlers: readonly string[] | undefined;
}

/** Whether a pod may have to wait for images. */
export const waitsForImages = (pod: Pod, { pulls }: NodeContext): boolean => pulls !== undefined && hasImages(pod, pulls.registry);

/** What is known of a pod's volumes: nothing has to be, a claim is not bound, the server did not answer, or all of it. */
export type Volumes =
  | 'not asked'
  | 'unbound'
  | 'no answer'
  | {
      readonly found: readonly PodVolume[];
      readonly node: Node | undefined;
      readonly brought?: NonNullable<PodMemory['attached']>['brought'];
    };

/** A pod and its containers at the instant of a decision, before its volumes are thought of. */
export interface View {
  readonly pod: Pod;
  /** As the machine has them. */
  readonly before: Run | undefined;
  readonly run: Run;
  /** Attempts that other pods of its owner have taken. */
  readonly others: number;
  readonly deadline: number;
  readonly expired: boolean;
}

/** What the node offers for sandboxes. */
export const sandboxOffer = ({ handlers, nodeName, given, alone }: NodeContext, { cache }: PodInput): SandboxOffer => ({
  handlers,
  given,
  podCIDR: (alone ?? cache.get('Node', undefined, nodeName)?.spec)?.podCIDR,
});

/** What a pod is let in by. */
export const gateOf = (
  { machine, nodeName, allowedSysctls, roomOf, cores }: NodeContext,
  { cache, names, now, state }: PodInput,
): Gate => ({
  machine,
  names,
  now,
  pressures: state.eviction.pressures,
  allowedSysctls,
  node: cache.get('Node', undefined, nodeName),
  roomOf,
  cores,
  pods: () => cache.by('Pod', 'nodeName', nodeName),
});
