/**
 * The parts outside the controller manager: scheduler, node agents, storage drivers. They obey the controller contract and run in
 * processes of their own. Adding one: a folder and a line here.
 */
import type { ProcessSpec } from '../runtime/index.ts';
import { nodeAgent } from './node/index.ts';
import type { World } from './node/machine.ts';
import type { NodeSpec, PodBehavior, StorageDriver } from './specs.ts';
import { storageDriver } from './storage-driver/index.ts';

export type { NodeSpec, PodBehavior, StorageClassSpec, StorageDriver, BehaviorSelector } from './specs.ts';
export { createWorld, type Machine, type World } from './node/machine.ts';

/** What agents are told when a cluster is made. */
export interface AgentOptions {
  readonly world: World;
  readonly podBehaviors: readonly PodBehavior[];
  readonly storageDrivers: readonly StorageDriver[];
  /** Seconds of an agent's node lease; it renews four times in that span. */
  readonly nodeLeaseDurationSeconds: number;
  /** Agents follow `spec.configSource` of their nodes. */
  readonly dynamicConfig?: boolean;
}

export { scheduler } from './scheduler/index.ts';

/** The processes of a fresh cluster that are not its control plane, in order of their start. */
export const agentProcesses = (nodes: readonly NodeSpec[], options: AgentOptions): readonly ProcessSpec[] => [
  ...options.storageDrivers.map(storageDriver),
  ...nodes.map((node) => nodeAgent(node, options)),
];

/** The agent of one node: it registers the node unless it exists. */
export const agentOf = (node: NodeSpec, options: AgentOptions): ProcessSpec => nodeAgent(node, options);
