/** The options of the pod runner, and the node context that its decisions read. */
import type { Pod } from '../../../apiserver/kinds/index.ts';
import type { Names } from '../../../apiserver/machinery/index.ts';
import type { CredentialsFor, GivenSettings, ImageSettings, PodBehavior, StorageDriver } from '../specs.ts';
import { capacityReader } from './admission/index.ts';
import { behaviorsBy, type Behavior } from './behavior.ts';
import type { Cores } from './cores/index.ts';
import type { EvictionPart } from './eviction/part.ts';
import type { PullContext, Registry } from './images/index.ts';
import type { Machine } from './machine.ts';
import type { NodeContext, PodInput } from './pod-view.ts';
import type { SourcesPart } from './static-pods.ts';

/** The options of the pod runner. */
export interface PodRunnerOptions {
  readonly nodeName: string;
  readonly machine: Machine;
  readonly behaviors: readonly PodBehavior[];
  readonly recordsEvents: boolean;
  /** The choice point before a pod's containers are created: whether they never become ready. */
  neverReady(pod: Pod): boolean;
  readonly images: ImageSettings;
  readonly syncMs: number;
  readonly allowedSysctls: readonly string[];
  /** Ephemeral storage is a resource of the node. */
  readonly isolatesStorage: boolean;
  readonly attachesItself: boolean;
  /** The agent has no API server. */
  readonly alone: { readonly podCIDR: string } | undefined;
  /** The agent runs the pods of its first sync only, and reports nothing. */
  readonly once: boolean;
  readonly given?: GivenSettings | undefined;
  /** Absent: no exclusive CPUs or memory. */
  readonly cores?: Cores | undefined;
  /** The allocatable amounts of the machine, where there is no Node. */
  allocatable(): Readonly<Record<string, string>>;
  /** The registry of images; absent: every image is present. */
  readonly registry?: Registry | undefined;
  readonly credentialsFor?: CredentialsFor | undefined;
  /** Absent: usage is not described. */
  readonly evicts?: EvictionPart | undefined;
  /** Called when the agent starts. */
  onStart?(): void;
  /** Further state of the agent, as plain data. */
  remembers?(): unknown;
  readonly drivers?: readonly StorageDriver[];
  /** The configured runtime handlers; absent: every handler. */
  readonly handlers?: readonly string[] | undefined;
  /** Absent: there are no static pods. */
  readonly sources?: SourcesPart | undefined;
}

const NO_DRIVERS: readonly StorageDriver[] = [];

/** The node context of an agent. */
export function nodeContextOf({
  nodeName,
  machine,
  behaviors,
  recordsEvents,
  neverReady,
  drivers = NO_DRIVERS,
  handlers,
  ...rest
}: PodRunnerOptions): NodeContext & { readonly machine: Machine } {
  let find: { readonly names: Names; readonly of: (pod: Pod) => Behavior } | undefined;
  const readRoom = capacityReader(rest.isolatesStorage);
  let own: Readonly<Record<string, string>> | undefined;
  const behaviorOf = (pod: Pod, names: Names): Behavior => {
    if (find?.names !== names) find = { names, of: behaviorsBy(behaviors, names) };
    const behavior = find.of(pod);
    return neverReady(pod) ? { ...behavior, readyDelayMs: Infinity, runForMs: undefined } : behavior;
  };
  return {
    nodeName,
    machine,
    behaviorOf,
    recordsEvents,
    drivers,
    handlers,
    syncMs: rest.syncMs,
    allowedSysctls: rest.allowedSysctls,
    attachesItself: rest.attachesItself,
    alone: rest.alone,
    once: rest.once,
    cores: rest.cores,
    given: rest.given,
    capacityOf: (node) => readRoom(node?.status.allocatable ?? (own ??= rest.allocatable())),
    ...pullsOf(nodeName, machine, rest),
    ...(rest.evicts === undefined ? {} : { evicts: rest.evicts }),
  };
}

/** How images are pulled, if they are. */
function pullsOf(
  nodeName: string,
  { images }: Machine,
  { registry, images: settings, credentialsFor }: Pick<PodRunnerOptions, 'registry' | 'images' | 'credentialsFor'>,
): Pick<NodeContext, 'pulls'> {
  if (registry === undefined || images === undefined) return {};
  const context = ({ now, random, state }: PodInput): PullContext => ({
    now,
    random,
    nodeName,
    registry,
    images,
    settings,
    credentialsFor,
    state: state.pulls,
  });
  return { pulls: { registry, context } };
}
