/** A node and its agent: `machine.ts` is what containers do, the controllers are what the agent sees and says of it. */
import type { ProcessSpec } from '../../runtime/index.ts';
import type { Agent, AgentOptions } from '../agent.ts';
import type { NodeSpec } from '../specs.ts';
import { dynamicConfig } from './dynamic-config.ts';
import { podRunner } from './pod-runner.ts';
import { nodeRegistration } from './registration.ts';

/** The process of a node's agent. */
export const nodeAgent = (
  spec: NodeSpec,
  { world, podBehaviors, nodeLeaseDurationSeconds, storageDrivers, dynamicConfig: dynamic, podEvents }: AgentOptions,
): ProcessSpec => ({
  name: `agent/${spec.name}`,
  controllers: [
    nodeRegistration({ world, spec, leaseDurationSeconds: nodeLeaseDurationSeconds, storageDrivers }),
    podRunner(world, podBehaviors, podEvents === true),
    ...(dynamic === true ? [dynamicConfig(spec.name)] : []),
  ],
});

/** One for each node. */
export const nodeAgents: Agent = { name: 'node', processes: (nodes, options) => nodes.map((node) => nodeAgent(node, options)) };
export { POD_EVENTS } from './pod-events.ts';
