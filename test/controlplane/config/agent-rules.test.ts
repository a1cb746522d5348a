/** Settings of an agent that contradict each other, or have no effect: all errors, with their fields, and all warnings. */
import { expect, it } from 'vitest';
import { parseAgentConfig } from '../../../src/controlplane/config/index.ts';

const TYPE = { apiVersion: 'agent.config.orch.io/v1beta1', kind: 'AgentConfiguration', enableServer: true };
const told = (fields: object): readonly string[] => {
  const { errors, warnings } = parseAgentConfig({ ...TYPE, ...fields }, {});
  return [...errors, ...warnings].map(({ path, message }) => `${path}: ${message.replace('invalid configuration: ', '')}`);
};
const off = (...gates: readonly string[]) => ({ featureGates: Object.fromEntries(gates.map((gate) => [gate, false])) });
const QOS = { featureGates: { QOSReserved: true } };
const LEVELS = 'enforceNodeAllocatable (--enforce-node-allocatable)';

it.each<readonly [string, object, readonly string[]]>([
  [
    'a reserved amount is a quantity',
    { systemReserved: { cpu: 'x' } },
    [
      `systemReserved.cpu: failed to parse quantity "x" for "cpu" resource: quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'`,
    ],
  ],
  [
    'a reserved amount is not negative, and of a resource that can be reserved',
    { systemReserved: { cpu: '-1', memory: '0', memry: '1' }, orchReserved: { pid: '-5', 'ephemeral-storage': '1Gi' } },
    [
      'systemReserved.cpu: resource quantity for "cpu" cannot be negative: -1',
      'systemReserved.memry: cannot reserve "memry" resource; did you mean "memory"?',
      'orchReserved.pid: resource quantity for "pid" cannot be negative: -5',
    ],
  ],
  [
    'a burst needs a rate',
    { registryBurst: 5, registryPullQPS: 0, eventBurst: 5, eventRecordQPS: 0 },
    [
      'registryBurst: registryBurst is used only when registryPullQPS is above 0',
      'eventBurst: eventBurst is used only when eventRecordQPS is above 0',
    ],
  ],
  ['a burst beside a rate is used', { registryBurst: 5, registryPullQPS: 1, eventBurst: 5, eventRecordQPS: 1 }, []],
  [
    'a profile of contention needs debugging',
    { enableContentionProfiling: true, enableDebuggingHandlers: false },
    ['enableContentionProfiling: enableContentionProfiling has no effect without enableDebuggingHandlers'],
  ],
  ['a profile that is off needs nothing', { enableContentionProfiling: false, enableDebuggingHandlers: false }, []],
  [
    'CSI volumes need the controller',
    { enableControllerAttachDetach: false },
    ['enableControllerAttachDetach: enableControllerAttachDetach must be true for CSI volumes'],
  ],
  [
    'a level of enforcement needs its cgroups',
    { enforceNodeAllocatable: ['orch-reserved'], cgroupsPerQOS: false },
    [
      `enforceNodeAllocatable: orchReservedCgroup (--orch-reserved-cgroup) must be specified when "orch-reserved" is contained in ${LEVELS}`,
      `enforceNodeAllocatable: cgroupsPerQOS (--cgroups-per-qos) must be set to true when "orch-reserved" is contained in ${LEVELS}`,
    ],
  ],
  [
    'a level of enforcement is known, and none is alone',
    { enforceNodeAllocatable: ['podz', 'pods', 'none'], cgroupsPerQOS: false },
    [
      `enforceNodeAllocatable: option "podz" specified for ${LEVELS}: valid options are "pods", "system-reserved", "orch-reserved" or "none"; did you mean "pods"?`,
      `enforceNodeAllocatable: cgroupsPerQOS (--cgroups-per-qos) must be set to true when "pods" is contained in ${LEVELS}`,
      `enforceNodeAllocatable: ${LEVELS} may not contain additional enforcements when "none" is specified`,
    ],
  ],
  ['none is alone', { enforceNodeAllocatable: ['none'], cgroupsPerQOS: false }, []],
  [
    'an option of the CPU policy needs its gates, and is known',
    {
      cpuManagerPolicyOptions: { 'full-pcpus-only': 'true', 'distribute-cpus-across-numa': 'true', x: 'y' },
      ...off('CPUManager', 'CPUManagerPolicyOptions'),
    },
    [
      ...['CPUManager', 'CPUManagerPolicyOptions'].map(
        (gate) => `cpuManagerPolicyOptions: cpuManagerPolicyOptions (--cpu-manager-policy-options) requires feature gate ${gate}`,
      ),
      'cpuManagerPolicyOptions: CPU Manager Policy Alpha-level Options not enabled, but option "distribute-cpus-across-numa" provided',
      'cpuManagerPolicyOptions: unknown CPU Manager Policy option: "x"',
    ],
  ],
  [
    'policies need their gates',
    {
      cpuManagerPolicy: 'static',
      cpuManagerReconcilePeriod: '1s',
      memoryManagerPolicy: 'Static',
      topologyManagerPolicy: 'restricted',
      topologyManagerScope: 'pod',
      ...off('CPUManager', 'MemoryManager', 'TopologyManager'),
    },
    [
      'cpuManagerPolicy: cpuManagerPolicy (--cpu-manager-policy) "static" requires feature gate CPUManager',
      'cpuManagerReconcilePeriod: cpuManagerReconcilePeriod (--cpu-manager-reconcile-period) requires feature gate CPUManager',
      'memoryManagerPolicy: memoryManagerPolicy (--memory-manager-policy) "Static" requires feature gate MemoryManager',
      'topologyManagerPolicy: topologyManagerPolicy (--topology-manager-policy) "restricted" requires feature gate TopologyManager',
      'topologyManagerScope: topologyManagerScope (--topology-manager-scope) "pod" requires feature gate TopologyManager',
    ],
  ],
  ['policies that are off need none', { cpuManagerPolicy: 'None', memoryManagerPolicy: 'None', ...off('CPUManager', 'MemoryManager') }, []],
  [
    'memory is reserved by a percentage up to 100 %, and no other resource',
    { qosReserved: { memory: '101%', cpu: '1%' }, ...QOS },
    [
      'qosReserved.memory: qosReserved of memory must be a percentage from 0% to 100%, found "101%"',
      'qosReserved.cpu: resource "cpu" is not supported for qosReserved: only "memory" is',
    ],
  ],
  ['memory is reserved whole', { qosReserved: { memory: '100%' }, ...QOS }, []],
  ...['x1%', '1%%', '1'].map((share): readonly [string, object, readonly string[]] => [
    `memory is not reserved by ${share}`,
    { qosReserved: { memory: share }, ...QOS },
    [`qosReserved.memory: qosReserved of memory must be a percentage from 0% to 100%, found "${share}"`],
  ]),
  ['an address of a DNS server is one', { clusterDNS: ['10.0.0.1', 'x'] }, ['clusterDNS: Invalid clusterDNS IP "x": it is left out']],
])('%s', (_, fields, expected) => {
  expect(told(fields)).toEqual(expected);
});
