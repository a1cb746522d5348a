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

/** `restates`: it was made with another configuration than the one before it. */
function processOf(machineSpec: NodeSpec, { settings, gates, refusal }: Configured, options: AgentOptions, restates = false): ProcessSpec {
  const { world, podBehaviors, storageDrivers, dynamicConfig: dynamic, podEvents } = options;
  const { name } = machineSpec;
  const machine = world.machine(name);
  const { nodeName = name } = settings;
  const spec = nodeName === name ? machineSpec : { ...machineSpec, name: nodeName };
  return {
    name: `agent/${name}`,
    ...(nodeName === name ? {} : { node: nodeName }),
    ...(gates === undefined ? {} : { gates }),
    ...(refusal === undefined ? {} : { refusal }),
    controllers: [
      nodeRegistration({ machine, spec, settings, storageDrivers, restates }),
      podRunner({ nodeName, machine, behaviors: podBehaviors, tellsEvents: podEvents === true }),
      ...(dynamic === true ? [dynamicConfig(nodeName)] : []),
    ],
  };
}

/** The process of a node's agent; `restates`: it takes the place of one with another configuration. */
export const nodeAgent = (spec: NodeSpec, options: AgentOptions, restates?: boolean): ProcessSpec =>
  processOf(spec, readerOf(options)(spec), options, restates);

/** One for each node. */
export const nodeAgents: Agent = {
  name: 'node',
  processes(nodes, options) {
    const read = readerOf(options);
    return nodes.map((node) => processOf(node, read(node), options));
  },
};
export { POD_EVENTS } from './pod-events.ts';
