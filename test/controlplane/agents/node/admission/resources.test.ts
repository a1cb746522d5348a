/** The rules of admission (resources, ports, taints), one by one. */
import { describe, expect, it } from 'vitest';
import type { Node, Pod } from '../../../../../src/apiserver/kinds/index.ts';
import { namesFor } from '../../../../../src/apiserver/machinery/index.ts';
import { created, killed, passed, type Run } from '../../../../../src/controlplane/agents/node/containers.ts';
import { judge } from '../../../../../src/controlplane/agents/node/admission/admit.ts';
import {
  capacityReader,
  isCritical,
  shortagesOf,
  placementProblem,
  refusedSysctl,
} from '../../../../../src/controlplane/agents/node/admission/resources.ts';
import { freshState } from '../../../../../src/controlplane/agents/node/actions.ts';
import type { CacheView } from '../../../../../src/controlplane/runtime/index.ts';
import { createWorld, type Machine } from '../../../../../src/controlplane/agents/index.ts';
import { requestsOf } from '../../../../../src/controlplane/shared/index.ts';
import { at, barePod, nodeOf } from '../../../../support/objects.ts';

const names = namesFor('k8s.io');
const ROOM = capacityReader(true)({ cpu: '2', memory: '1Gi', pods: '3', 'example.com/gpu': '1' });
const CRITICAL = 2_000_000_000;

const asking = (name: string, requests: Readonly<Record<string, string>>, more: object = {}, status: object = {}): Pod =>
  barePod(name, 'Pending', { spec: { containers: [{ name: 'c', image: 'c:1', resources: { requests } }], ...more }, status });
const run = (pod: Pod, until = Infinity): Run =>
  passed(
    created(
      {
        behavior: { startDelayMs: 0, readyDelayMs: 0, runForMs: until, exitCodes: [0], terminationDelayMs: 5_000, terminationExitCode: 0 },
        policy: 'Never',
        attemptsOf: pod.metadata.uid,
        ip: '10.0.0.1',
        asks: requestsOf(pod.spec),
        held: false,
        leastStartMs: 0,
      },
      at(0),
    ),
    at(0),
    0,
  );

describe('resources of a node', () => {
  const lacks = (requests: Readonly<Record<string, string>>, pods = 0, milliCpu = 0): readonly string[] => {
    const amounts = { milliCpu, memory: 0, ephemeralStorage: 0, others: new Map() };
    return shortagesOf(requestsOf(asking('p', requests).spec), ROOM, { amounts, pods }, names).map(({ resource }) => resource);
  };

  it.each<[string, readonly string[], readonly string[]]>([
    ['for as many pods as it may have', lacks({}, 2), []],
    ['for no pod more', lacks({}, 3), ['pods']],
    ['for exactly what is left', lacks({ cpu: '500m' }, 1, 1_500), []],
    ['for no more than what is left', lacks({ cpu: '501m' }, 1, 1_500), ['cpu']],
    [
      'for all that is missing, in their order',
      lacks({ cpu: '3', memory: '2Gi', 'example.com/gpu': '9' }, 3),
      ['pods', 'cpu', 'memory', 'example.com/gpu'],
    ],
    ['for as many devices as it counts', lacks({ 'example.com/gpu': '1' }), []],
    ['for no device more', lacks({ 'example.com/gpu': '2' }), ['example.com/gpu']],
    ['as far as it knows for devices that somebody else counts', lacks({ 'example.com/other': '1' }), []],
    ['for none of the system that it does not have', lacks({ 'hugepages-2Mi': '2Mi' }), ['hugepages-2Mi']],
  ])('%s', (_, found, expected) => {
    expect(found).toEqual(expected);
  });
});

describe('a pod is refused', () => {
  const withPort = (ip: string): Pod =>
    asking('p', {}, { containers: [{ name: 'c', ports: [{ containerPort: 1, hostPort: 80, hostIP: ip }] }] });
  const put = (pod: Pod, node: Node | undefined, taken: readonly Pod[], isStatic = false): string | undefined =>
    placementProblem(pod, requestsOf(pod.spec), node, () => taken.flatMap(({ spec }) => requestsOf(spec).hostPorts), isStatic)?.reason;

  it.each([
    ['10.0.0.1', '10.0.0.2', undefined],
    ['10.0.0.1', '10.0.0.1', 'NodePorts'],
    ['10.0.0.1', '0.0.0.0', 'NodePorts'],
    ['0.0.0.0', '10.0.0.1', 'NodePorts'],
  ])('for a port at %s that another pod has at %s: %s', (own, other, reason) => {
    expect(put(withPort(own), undefined, [withPort(other)])).toBe(reason);
  });

  it.each([
    [{ hostPort: 80, protocol: 'TCP' }, 'NodePorts'],
    [{ hostPort: 81, protocol: 'TCP' }, undefined],
    [{ hostPort: 80, protocol: 'UDP' }, undefined],
  ])('for a port that another pod has: %o %s', (port, reason) => {
    const other = asking('q', {}, { containers: [{ name: 'c', ports: [{ containerPort: 2, hostIP: '0.0.0.0', ...port }] }] });
    expect(put(withPort('10.0.0.1'), undefined, [other])).toBe(reason);
  });

  it('for a taint that it does not tolerate, unless it is static', () => {
    const node: Node = { ...nodeOf('n'), spec: { taints: [{ key: 'k', effect: 'NoExecute' }] } };
    expect([false, true].map((isStatic) => put(asking('p', {}), node, [], isStatic))).toEqual(['TaintToleration', undefined]);
  });
});

describe('an admission counts', () => {
  const admit = (
    pod: Pod,
    machine: Machine,
    { begun, there = [] }: { begun?: Parameters<typeof judge>[3]; there?: readonly Pod[] } = {},
  ) => {
    const nodeContext = { machine, nodeName: 'n', allowedSysctls: [], cores: undefined, capacityOf: () => ROOM };
    const cache = { get: () => undefined, by: () => there } as unknown as CacheView;
    return judge(pod, nodeContext, { names, now: at(1), cache, state: freshState() }, begun);
  };

  it('pods that the same decision admitted', () => {
    const pod = asking('p', { cpu: '1500m' });
    const machine = createWorld(0).machine('n');
    expect(admit(pod, machine)).toBeUndefined();
    expect(admit(pod, machine, { begun: [{ asks: requestsOf(pod.spec), places: undefined }] })).toMatchObject({
      refusal: { reason: 'OutOfcpu' },
    });
  });

  it('host ports of pods that have not ended', () => {
    const pod = asking('p', {}, { containers: [{ name: 'c', ports: [{ containerPort: 1, hostPort: 80 }] }] });
    const machine = createWorld(0).machine('n');
    machine.put('other', run(pod));
    expect(admit(pod, machine)).toMatchObject({ refusal: { reason: 'NodePorts' } });
    machine.put('other', killed(passed(run(pod, 500), at(1), 0), at(1), 0));
    expect(admit(pod, machine)).toBeUndefined();
  });

  it('pods that are ending for a critical pod, so that it preempts no others', () => {
    const [going, staying] = [
      asking('going', { cpu: '1' }, {}, { qosClass: 'Burstable' }),
      asking('staying', { cpu: '1' }, {}, { qosClass: 'Burstable' }),
    ];
    const machine = createWorld(0).machine('n');
    machine.put(staying.metadata.uid, run(staying));
    machine.put(going.metadata.uid, { ...killed(run(going), at(0), 30_000), failure: { reason: 'Preempting', message: '' } });
    const vital = asking('vital', { cpu: '1' }, { priority: CRITICAL });
    expect(admit(vital, machine, { there: [going, staying] })).toEqual({
      clearing: { actions: [], writes: [], keys: [], wakeAt: at(5) },
    });
  });
});

describe('a critical pod', () => {
  it.each([
    ['of the priority of the system', { priority: CRITICAL }, undefined, true],
    ['of one less', { priority: CRITICAL - 1 }, undefined, false],
    ['of a file of the node', {}, { 'kubernetes.io/config.source': 'file' }, true],
    ['that mirrors a file of the node', {}, { 'kubernetes.io/config.mirror': 'x' }, true],
    ['of the server', {}, { 'kubernetes.io/config.source': 'api' }, false],
  ])('is one %s', (_, spec, annotations, expected) => {
    expect(isCritical(barePod('p', 'Running', { spec, meta: annotations === undefined ? {} : { annotations } }), names)).toBe(expected);
  });
});

describe('a sysctl', () => {
  it.each<[string, object, readonly string[], string | undefined]>([
    ['net.ipv4.tcp_syncookies', {}, [], undefined],
    ['net/ipv4/tcp_syncookies', {}, [], undefined],
    ['net.ipv4.tcp_syncookies', { hostNetwork: true }, [], 'not allowed with host net enabled'],
    ['kernel.shm_rmid_forced', { hostNetwork: true }, [], undefined],
    ['kernel.shm_rmid_forced', { hostIPC: true }, [], 'not allowed with host ipc enabled'],
    ['net.core.somaxconn', {}, [], 'not allowlisted'],
    ['net.core.somaxconn', {}, ['net.core.*'], undefined],
    ['net.core.somaxconn', {}, ['net.core.som'], 'not allowlisted'],
  ])('%s of a pod with %o where %j are allowed, too: %s', (name, spec, allowed, why) => {
    const pod = asking('p', {}, { ...spec, securityContext: { sysctls: [{ name, value: '1' }] } });
    expect(refusedSysctl(pod, allowed)?.message).toBe(why === undefined ? undefined : `forbidden sysctl: "${name}" ${why}`);
  });
});
