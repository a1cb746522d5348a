/** The options of the pod runner, and the node context that its decisions read. */
import { lastOf, memo } from '../../../engine/index.ts';
import type { Pod } from '../../../apiserver/kinds/index.ts';
import type { Names } from '../../../apiserver/machinery/index.ts';
import type { AgentSettings, CredentialsFor, PodBehavior } from '../specs.ts';
import { capacityReader } from './admission/index.ts';
import { behaviorsBy } from './containers.ts';
import type { PullContext, Registry } from './images/index.ts';
import type { Machine } from './machine.ts';
import type { NodeContext, PodInput } from './pod-view.ts';
import type { SourcesPart } from './static-pods.ts';

export interface PodRunnerOptions
  extends Omit<NodeContext, 'behaviorOf' | 'capacityOf' | 'pulls'>, Pick<AgentSettings, 'images' | 'isolatesStorage'> {
  readonly machine: Machine;
  readonly behaviors: readonly PodBehavior[];
  /** The choice point before a pod's containers are created: whether they never become ready. */
  neverReady(pod: Pod): boolean;
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
  const { behaviors, neverReady, isolatesStorage, allocatable } = options;
  const behaviorFor = lastOf((names: Names) => behaviorsBy(behaviors, names));
  const readRoom = capacityReader(isolatesStorage);
  const own = memo<{ allocatable: Readonly<Record<string, string>> | undefined }>({ allocatable: undefined });
  // Members before spreads, so that all agents have one hidden class.
  return {
    behaviorOf(pod, names) {
      const behavior = behaviorFor(names)(pod);
      return neverReady(pod) ? { ...behavior, readyDelayMs: Infinity, runForMs: undefined } : behavior;
    },
    capacityOf: (node) => readRoom(node?.status.allocatable ?? (own.allocatable ??= allocatable())),
    ...pullsOf(options),
    ...options,
  };
}

function pullsOf({
  nodeName,
  machine: { images },
  registry,
  images: settings,
  credentialsFor,
}: PodRunnerOptions): Pick<NodeContext, 'pulls'> {
  if (registry === undefined || images === undefined) return {};
  const shared = { nodeName, registry, images, settings, credentialsFor };
  const context = ({ now, random, state: { pulls: state } }: PodInput): PullContext => ({ ...shared, now, random, state });
  return { pulls: { registry, context } };
}
