/** The Node of an agent, whole: its labels and taints, its capacity and facts, and its conditions. */
import { describe, expect, it } from 'vitest';
import { namesFor } from '../../../../src/apiserver/machinery/index.ts';
import { defaultSettings, type AgentSettings } from '../../../../src/controlplane/agents/node/configuration.ts';
import { allocatableOf, amountOf, reservations, reservedOf } from '../../../../src/controlplane/agents/node/allocatable.ts';
import { createWorld } from '../../../../src/controlplane/agents/node/machine.ts';
import { nodeConditions, nodeFacts, nodeObject } from '../../../../src/controlplane/agents/node/node-object.ts';
import type { NodeSpec } from '../../../../src/controlplane/agents/specs.ts';
import { at } from '../../../support/objects.ts';

const names = namesFor('k8s.io');
const time = (seconds: number): string => new Date(at(seconds)).toISOString().replace('.000', '');
const settingsWith = (more: Partial<AgentSettings> = {}): AgentSettings => ({
  ...defaultSettings({ clusterGates: {}, leaseSeconds: 40 }),
  ...more,
});
const SPEC: NodeSpec = { name: 'n', capacity: {} };

describe('the Node of an agent', () => {
  const labels = {
    'beta.kubernetes.io/arch': 'amd64',
    'beta.kubernetes.io/os': 'linux',
    'kubernetes.io/arch': 'amd64',
    'kubernetes.io/hostname': 'n',
    'kubernetes.io/os': 'linux',
  };

  it('has the usual labels', () => {
    expect(nodeObject(names, SPEC, settingsWith())).toEqual({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'n', labels }, spec: {} });
  });

  it('has what its machine and its configuration say; of two labels or taints those of the machine', () => {
    const taint = (key: string, value: string, effect = 'NoSchedule') => ({ key, value, effect }) as never;
    const spec = { ...SPEC, labels: { zone: 'b' }, taints: [taint('k', '1')], podCIDR: '10.0.0.0/24' };
    const settings = settingsWith({
      labels: { zone: 'a', disk: 'ssd' },
      registerWithTaints: [taint('k', '2'), taint('k', '3', 'NoExecute'), taint('l', '4')],
      providerID: 'sim://n',
      attaches: 'agent',
    });
    expect(nodeObject(names, spec, settings)).toEqual({
      apiVersion: 'v1',
      kind: 'Node',
      metadata: {
        name: 'n',
        labels: { ...labels, zone: 'b', disk: 'ssd' },
        annotations: { 'volumes.kubernetes.io/controller-managed-attach-detach': 'false' },
      },
      spec: {
        providerID: 'sim://n',
        taints: [taint('k', '1'), taint('k', '3', 'NoExecute'), taint('l', '4')],
        podCIDR: '10.0.0.0/24',
        podCIDRs: ['10.0.0.0/24'],
      },
    });
    expect(nodeObject(names, SPEC, settingsWith({ registerWithTaints: [taint('k', '2')] }))['spec']).toEqual({ taints: [taint('k', '2')] });
  });
});

it('the facts of a node are its capacity, its addresses and its versions', () => {
  const machine = createWorld().machine('n');
  const facts = (capacity: NodeSpec['capacity'], more: Partial<AgentSettings> = {}) =>
    nodeFacts(names, { name: 'n', capacity }, settingsWith(more), machine);
  expect(facts({ cpu: '2', memory: '4Gi', pods: '20', 'ephemeral-storage': '5Gi' })).toEqual({
    capacity: { cpu: '2', memory: '4Gi', pods: '20', 'ephemeral-storage': '5Gi' },
    allocatable: expect.objectContaining({ cpu: '2', pods: '20' }),
    addresses: [
      { type: 'InternalIP', address: '192.168.0.10' },
      { type: 'Hostname', address: 'n' },
    ],
    daemonEndpoints: { kubeletEndpoint: { Port: 10250 } },
    nodeInfo: {
      machineID: 'n',
      systemUUID: 'n',
      bootID: 'n',
      kernelVersion: 'sim',
      osImage: 'sim',
      containerRuntimeVersion: 'sim://1',
      kubeletVersion: 'v1.24.0',
      kubeProxyVersion: 'v1.24.0',
      operatingSystem: 'linux',
      architecture: 'amd64',
    },
  });
  const pods = (more: Partial<AgentSettings>, capacity: NodeSpec['capacity'] = { cpu: '2500m', pods: '20' }) =>
    (facts(capacity, more)['capacity'] as Readonly<Record<string, string>>)['pods'];
  expect([
    pods({}),
    pods({ statedMaxPods: 9 }),
    pods({ podsPerCore: 4 }),
    pods({ podsPerCore: 8 }),
    pods({ podsPerCore: 9 }),
    pods({ podsPerCore: 4, statedMaxPods: 3 }),
  ]).toEqual(['20', '9', '10', '20', '20', '3']);
  expect(facts({ cpu: '2' }, { isolatesStorage: false })['capacity']).not.toHaveProperty('ephemeral-storage');
  expect(facts({ cpu: '2' })['capacity']).toHaveProperty('ephemeral-storage', '1Ti');
});

describe('the conditions of a node', () => {
  const condition = (type: string, status: string, reason: string, message: string, since = 9) => ({
    type,
    status,
    lastHeartbeatTime: time(9),
    lastTransitionTime: time(since),
    reason,
    message,
  });
  const healthy = (since?: number) => [
    condition('MemoryPressure', 'False', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available', since),
    condition('DiskPressure', 'False', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure', since),
    condition('PIDPressure', 'False', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available', since),
  ];
  const ready = (since?: number) => condition('Ready', 'True', 'KubeletReady', 'kubelet is posting ready status', since);

  it('say what it lacks, and why it is not ready', () => {
    expect(nodeConditions(names, true, undefined, at(9))).toEqual([...healthy(), ready()]);
    expect(nodeConditions(names, false, undefined, at(9), ['MemoryPressure', 'DiskPressure', 'PIDPressure'])).toEqual([
      condition('MemoryPressure', 'True', 'KubeletHasInsufficientMemory', 'kubelet has insufficient memory available'),
      condition('DiskPressure', 'True', 'KubeletHasDiskPressure', 'kubelet has disk pressure'),
      condition('PIDPressure', 'True', 'KubeletHasInsufficientPID', 'kubelet has insufficient PID available'),
      condition('Ready', 'False', 'KubeletNotReady', 'kubelet is not ready'),
    ]);
    expect(nodeConditions(names, 'node is shutting down', undefined, at(9)).at(-1)).toEqual(
      condition('Ready', 'False', 'KubeletNotReady', 'node is shutting down'),
    );
  });

  it('keep their transition time while their status stays', () => {
    const before = [...healthy(3), condition('Ready', 'Unknown', 'x', 'y', 3)];
    expect(nodeConditions(names, true, before, at(9))).toEqual([...healthy(3), ready()]);
    expect(nodeConditions(names, true, [{ type: 'Ready', status: 'True' }], at(9)).at(-1)).toEqual(ready());
  });
});

describe('the allocatable amounts of a node', () => {
  const capacity = { cpu: '4', memory: '8Gi', 'ephemeral-storage': '100Gi', pods: '110' };

  it('are its capacity without what is reserved, and without hard thresholds', () => {
    const of = { systemReserved: { cpu: '500m', memory: '1Gi', 'example.com/gpu': '1' }, orchReserved: { cpu: '100m' } };
    const evictionHard = { 'memory.available': '100Mi', 'nodefs.available': '10%', 'imagefs.available': '15%' };
    const all = reservations({ ...of, evictionHard }, true);
    expect(all).toEqual([
      ['cpu', '500m'],
      ['memory', '1Gi'],
      ['example.com/gpu', '1'],
      ['cpu', '100m'],
      ['memory', '100Mi'],
      ['ephemeral-storage', '10%'],
    ]);
    expect(allocatableOf(capacity, all)).toEqual({ cpu: '3400m', memory: '7068Mi', 'ephemeral-storage': '90Gi', pods: '110' });
    expect(reservations({ ...of, evictionHard }, false)).toEqual(all.slice(0, 4));
    const none = { systemReserved: undefined, orchReserved: undefined };
    expect(reservations({ ...none, evictionHard: { 'memory.available': '0%', 'nodefs.available': '100%' } }, true)).toEqual([]);
    expect([reservedOf(of, 'cpu'), reservedOf(of, 'memory'), reservedOf(none, 'cpu')]).toEqual([['500m', '100m'], ['1Gi'], []]);
  });

  it('are zero at least, and the capacity where nothing is reserved', () => {
    expect(
      allocatableOf(capacity, [
        ['cpu', '5'],
        ['memory', '8Gi'],
      ]),
    ).toEqual({ ...capacity, cpu: '0', memory: '0' });
    expect(allocatableOf(capacity, [])).toBe(capacity);
  });

  it('by percentages are those of the capacity', () => {
    expect([amountOf('10%', 1_000n), amountOf('0.5%', 1_000n), amountOf('1Ki', 5n)]).toEqual([100n, 5n, 1_024n]);
  });
});
