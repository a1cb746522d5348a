/** What the part of an agent that runs pods is made for, and what its decisions may know of the node because of that. */
import type { Pod } from '../../../apiserver/kinds/index.ts';
import type { Names } from '../../../apiserver/vocabulary/index.ts';
import type { AgentSettings, CredentialsFor, GivenSettings, ImageSettings, PodBehavior, StorageDriver } from '../specs.ts';
import { roomReader } from './admission/index.ts';
import { behaviorsBy, type Behavior } from './behavior.ts';
import type { Cores } from './cores/index.ts';
import type { EvictionPart } from './eviction/part.ts';
import type { PullContext, Registry } from './images/index.ts';
import type { Machine } from './machine.ts';
import type { NodeContext, PodInput } from './pod-view.ts';
import type { SourcesPart } from './static-pods.ts';

/** What the part that runs pods is made for. */
export interface PodRunnerOptions {
  readonly nodeName: string;
  readonly machine: Machine;
  readonly behaviors: readonly PodBehavior[];
  readonly tellsEvents: boolean;
  /** Asked when a pod's containers are about to be created: whether they are never ready. */
  neverReady(pod: Pod): boolean;
  readonly images: ImageSettings;
  readonly runtimeTimeoutMs: number;
  /** How long it holds a shutdown of its machine up; absent: not at all. */
  readonly shutdown: AgentSettings['shutdown'];
  readonly syncMs: number;
  readonly allowedSysctls: readonly string[];
  /** The disk is a resource of the node. */
  readonly isolatesStorage: boolean;
  readonly attachesItself: boolean;
  /** It has no API server. */
  readonly alone: { readonly podCIDR: string } | undefined;
  /** What comes after its first look does not concern it, and it reports of nothing. */
  readonly once: boolean;
  readonly given?: GivenSettings | undefined;
  /** Absent: nobody has processors or memory for himself. */
  readonly cores?: Cores | undefined;
  /** What pods may have of the machine where no Node says it. */
  allocatable(): Readonly<Record<string, string>>;
  /** Where images are pulled from; absent: they are there. */
  readonly registry?: Registry | undefined;
  readonly credentialsFor?: CredentialsFor | undefined;
  /** Absent: nobody says what pods use. */
  readonly evicts?: EvictionPart | undefined;
  /** The agent starts. */
  onStart?(): void;
  /** What else it remembers, as plain data. */
  remembers?(): unknown;
  readonly drivers?: readonly StorageDriver[];
  /** What the runtime is configured for; absent: every handler. */
  readonly handlers?: readonly string[] | undefined;
  /** Absent: all its pods are the API server's. */
  readonly sources?: SourcesPart | undefined;
}

const NO_DRIVERS: readonly StorageDriver[] = [];

/** An agent's own part of the world. */
export function nodeContextOf({
  nodeName,
  machine,
  behaviors,
  tellsEvents,
  neverReady,
  drivers = NO_DRIVERS,
  handlers,
  ...rest
}: PodRunnerOptions): NodeContext & { readonly machine: Machine } {
  let find: { readonly names: Names; readonly of: (pod: Pod) => Behavior } | undefined;
  const readRoom = roomReader(rest.isolatesStorage);
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
    tellsEvents,
    drivers,
    handlers,
    runtimeTimeoutMs: rest.runtimeTimeoutMs,
    shutdown: rest.shutdown,
    syncMs: rest.syncMs,
    allowedSysctls: rest.allowedSysctls,
    attachesItself: rest.attachesItself,
    alone: rest.alone,
    once: rest.once,
    cores: rest.cores,
    given: rest.given,
    roomOf: (node) => readRoom(node?.status.allocatable ?? (own ??= rest.allocatable())),
    ...pullsOf(nodeName, machine, rest),
    ...(rest.evicts === undefined ? {} : { evicts: rest.evicts }),
  };
}

/** How its images are pulled, if they are. */
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
