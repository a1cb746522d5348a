/**
 * The parts outside the controller manager: scheduler, node agents, storage drivers. They obey the controller contract and run in
 * processes of their own. Adding one: a folder and a line here.
 */
import type { ProcessSpec } from '../runtime/index.ts';
import type { NodeSpec, PodBehavior, StorageDriver } from './specs.ts';

export type { NodeSpec, PodBehavior, StorageClassSpec, StorageDriver, BehaviorSelector } from './specs.ts';

/** What agents are told when a cluster is made. */
export interface AgentOptions {
  readonly podBehaviors: readonly PodBehavior[];
  readonly storageDrivers: readonly StorageDriver[];
  /** Seconds of an agent's node lease; it renews four times in that span. */
  readonly nodeLeaseDurationSeconds: number;
}

/** The processes of a fresh cluster besides the controller manager, in order of their start. */
export function agentProcesses(_nodes: readonly NodeSpec[], _options: AgentOptions): readonly ProcessSpec[] {
  return [];
}

/** The agent of one node: it registers the node unless it exists. */
export function agentOf(_node: NodeSpec, _options: AgentOptions): ProcessSpec {
  throw new Error('not yet');
}
