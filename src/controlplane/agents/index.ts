/**
 * The components outside the controller manager: scheduler, node agents, storage drivers. They implement the contract of controllers and
 * run in their own processes. To add one: a folder, and a line in `all.ts`.
 */
import { inOrder } from '../../schema/values/index.ts';
import type { ProcessSpec } from '../runtime/index.ts';
import type { Agent, AgentOptions } from './agent.ts';
import * as all from './all.ts';
import type { NodeSpec } from './specs.ts';

export type { AgentOptions } from './agent.ts';
export type { AgentStart, CredentialsFor, ImageSpec, NodeSpec, PodBehavior, StorageDriver } from './specs.ts';
export { adoptPods } from './node/adopt.ts';
export { logReader, type ContainerLog, type ReadLog } from './node/logs.ts';
export type { LogInstance } from './node/logs.ts';
export { createWorld, type EvictionCause, type Machine, type World } from './node/machine.ts';
export { authenticationLookup } from './scheduler/authentication-lookup.ts';
export { controllerOf, defaultSettings, scheduler, type SchedulerState } from './scheduler/index.ts';

/** The order of their start. An agent that is not listed starts after these, by name. */
const FIRST: readonly string[] = ['storage-driver', 'node'];
const agents = inOrder(Object.values<Agent>(all), ({ name }) => name, FIRST);

/** The processes of a new cluster outside its control plane, in order of their start. */
export const agentProcesses = (nodes: readonly NodeSpec[], options: AgentOptions): readonly ProcessSpec[] =>
  agents.flatMap((agent) => agent.processes(nodes, options));

export { nodeAgent as agentOf, POD_EVENTS, SHUTDOWN_KEY } from './node/index.ts';
