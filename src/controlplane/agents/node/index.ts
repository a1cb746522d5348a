/** A node and its agent: `machine.ts` is what containers do, the controllers are what the agent sees and says of it, `configuration.ts` what it was told. */
import type { ProcessSpec } from '../../runtime/index.ts';
import type { Agent, AgentOptions } from '../agent.ts';
import type { NodeSpec } from '../specs.ts';
import { configurationReader, type Configured, DEFAULT_SETTINGS } from './configuration.ts';
import { dynamicConfig } from './dynamic-config.ts';
import { podRunner } from './pod-runner.ts';
import { nodeRegistration } from './registration.ts';

const readerOf = ({ start = {}, featureGates = {}, nodeLeaseDurationSeconds }: AgentOptions): ((spec: NodeSpec) => Configured) =>
  configurationReader(featureGates, start, { ...DEFAULT_SETTINGS, leaseDurationSeconds: nodeLeaseDurationSeconds });

function processOf(spec: NodeSpec, { settings, gates, refusal }: Configured, options: AgentOptions): ProcessSpec {
  const { world, podBehaviors, storageDrivers, dynamicConfig: dynamic, podEvents } = options;
  return {
    name: `agent/${spec.name}`,
    ...(gates === undefined ? {} : { gates }),
    ...(refusal === undefined ? {} : { refusal }),
    controllers: [
      nodeRegistration({ world, spec, settings, storageDrivers }),
      podRunner(world, podBehaviors, podEvents === true),
      ...(dynamic === true ? [dynamicConfig(spec.name)] : []),
    ],
  };
}

/** The process of a node's agent. */
export const nodeAgent = (spec: NodeSpec, options: AgentOptions): ProcessSpec => processOf(spec, readerOf(options)(spec), options);

/** One for each node. */
export const nodeAgents: Agent = {
  name: 'node',
  processes(nodes, options) {
    const read = readerOf(options);
    return nodes.map((node) => processOf(node, read(node), options));
  },
};
export { POD_EVENTS } from './pod-events.ts';
