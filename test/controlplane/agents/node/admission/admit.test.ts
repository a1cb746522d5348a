/** Admission by an agent: pods that are bound to its node and do not fit there, and preemption by critical pods. */
import { describe, expect, it } from 'vitest';
import type { Pod } from '../../../../../src/apiserver/kinds/index.ts';
import { simulate, type Run } from '../../../../../src/lab/simulation/index.ts';
import { scenarioIn } from '../../../../support/scenarios.ts';

/** Pods bound to node a, by name and in this order. */
const run = (cluster: string, steps: string, until = '1m'): Run =>
  simulate(
    scenarioIn(`apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: admission }
spec:
  until: ${until}
  cluster: ${cluster}
  steps: [${steps}]`),
  );
const pod = (name: string, requests = '{}', more = '', container = ''): string =>
  `{ apply: { apiVersion: v1, kind: Pod, metadata: { name: ${name} }, spec: { nodeName: a, ${more} containers: [{ name: c, image: "c:1", ${container} resources: { requests: ${requests} } }] } } }`;
const podOf = ({ cluster }: Run, name: string): Pod | undefined => cluster.store.get('Pod', `default/${name}`);
const statusOf = (ran: Run, name: string) => {
  const { phase, reason, message } = podOf(ran, name)?.status ?? {};
  return { phase, ...(reason === undefined ? {} : { reason, message }) };
};
const events = ({ cluster }: Run): readonly string[] =>
  [...cluster.store.values('Event')].flatMap((event) => {
    const { type, reason, message, involvedObject } = event as unknown as Readonly<Record<string, string>> & {
      involvedObject: { name: string };
    };
    return type === 'Warning' ? [`${involvedObject.name} ${reason}: ${message}`] : [];
  });
const SMALL = '{ nodes: [{ name: a, capacity: { cpu: 2, memory: 1Gi, pods: "3", ephemeral-storage: 10Gi } }] }';
const RUNNING = { phase: 'Running' };

describe('a pod that exceeds the resources of its node', () => {
  it.each([
    ['cpu', '{ cpu: 1500m }', 'requested: 1500, used: 1000, capacity: 2000'],
    ['memory', '{ memory: 600Mi }', `requested: ${600 * 2 ** 20}, used: ${500 * 2 ** 20}, capacity: ${924 * 2 ** 20}`],
    ['ephemeral-storage', '{ ephemeral-storage: 11Gi }', `requested: ${11 * 2 ** 30}, used: 0, capacity: ${9 * 2 ** 30}`],
  ])('fails with OutOf%s, as upstream says it', (resource, requests, amounts) => {
    const ran = run(SMALL, `${pod('first', '{ cpu: 1, memory: 500Mi }')}, ${pod('second', requests)}`);
    const message = `Node didn't have enough resource: ${resource}, ${amounts}`;
    expect(statusOf(ran, 'first')).toEqual(RUNNING);
    expect(statusOf(ran, 'second')).toEqual({ phase: 'Failed', reason: `OutOf${resource}`, message: `Pod ${message}` });
    expect(events(ran)).toEqual([`second OutOf${resource}: ${message}`]);
  });

  it('fails with OutOfpods, unless earlier pods have ended', () => {
    const four = ['b', 'c', 'd', 'e'].map((name) => pod(name)).join(', ');
    const ran = run(SMALL, `${four}, { at: 10s, delete: Pod/c }, { at: 20s, note: now }, ${pod('late')}, ${pod('later')}`);
    const refused = { phase: 'Failed', reason: 'OutOfpods' };
    expect(statusOf(ran, 'e')).toMatchObject({
      ...refused,
      message: "Pod Node didn't have enough resource: pods, requested: 1, used: 3, capacity: 3",
    });
    expect(statusOf(ran, 'late')).toEqual(RUNNING);
    expect(statusOf(ran, 'later')).toMatchObject(refused);
  });

  it('counts its largest init container and its overhead, and no resource that the node does not list', () => {
    const big = 'initContainers: [{ name: i, image: "i:1", resources: { requests: { cpu: 3 } } }],';
    const ran = run(SMALL, `${pod('init', '{}', big)}, ${pod('device', '{ "example.com/gpu": 1 }, limits: { "example.com/gpu": 1 }')}`);
    expect(statusOf(ran, 'init')).toMatchObject({ reason: 'OutOfcpu', message: expect.stringContaining('requested: 3000, used: 0') });
    expect(statusOf(ran, 'device')).toEqual(RUNNING);
  });

  it('is replaced by its controller again and again', () => {
    const job = `{ apply: { apiVersion: batch/v1, kind: Job, metadata: { name: j }, spec: { backoffLimit: 2, template: { spec: { nodeName: a, restartPolicy: Never, containers: [{ name: c, image: "c:1", resources: { requests: { cpu: 3 } } }] } } } } }`;
    const ran = run(SMALL, job, '5m');
    expect(ran.cluster.store.get('Job', 'default/j')?.status).toMatchObject({ failed: 3 });
  });
});

describe('a pod that may not be on its node', () => {
  const LABELLED =
    '{ nodes: [{ name: a, labels: { disk: slow }, taints: [{ key: k, effect: NoExecute }, { key: s, effect: NoSchedule }] }] }';
  const tolerates = 'tolerations: [{ key: k, operator: Exists }],';

  it('fails for its node selector and affinity', () => {
    const ran = run(
      LABELLED,
      `${pod('fast', '{}', `${tolerates} nodeSelector: { disk: fast },`)}, ${pod('slow', '{}', `${tolerates} nodeSelector: { disk: slow },`)}`,
    );
    expect(statusOf(ran, 'fast')).toEqual({ phase: 'Failed', reason: 'NodeAffinity', message: 'Pod Predicate NodeAffinity failed' });
    expect(statusOf(ran, 'slow')).toEqual(RUNNING);
  });

  it('fails for a NoExecute taint, and not for a NoSchedule taint', () => {
    const ran = run(LABELLED, `{ fault: { stop: controller-manager } }, ${pod('none')}, ${pod('all', '{}', tolerates)}`, '3s');
    expect(events(ran)).toEqual(['none TaintToleration: Predicate TaintToleration failed']);
    expect(statusOf(ran, 'all')).toEqual(RUNNING);
  });

  it('fails for a host port that another pod uses, at its address or at all', () => {
    const port = (host: string): string => `ports: [{ containerPort: 80, hostPort: 8080${host} }],`;
    const ran = run(
      SMALL,
      [
        pod('one', '{}', '', port(', hostIP: 10.0.0.1')),
        pod('two', '{}', '', port(', hostIP: 10.0.0.2')),
        pod('all', '{}', '', port('')),
      ].join(', '),
    );
    expect([statusOf(ran, 'one'), statusOf(ran, 'two')]).toEqual([RUNNING, RUNNING]);
    expect(statusOf(ran, 'all')).toEqual({ phase: 'Failed', reason: 'NodePorts', message: 'Pod Predicate NodePorts failed' });
  });
});

describe('a critical pod', () => {
  const CRITICAL = 'priorityClassName: system-node-critical, priority: 2000001000,';
  const FURNISHED = SMALL.replace('{ nodes', '{ bootstrap: true, nodes');
  const burstable = (name: string, cpu: string): string => pod(name, `{ cpu: ${cpu} }`);

  it('preempts the fewest pods, and none without requests that would not help', () => {
    const ran = run(
      FURNISHED,
      `${burstable('half', '500m')}, ${burstable('one', '1')}, { at: 2s, note: now }, ${pod('vital', '{ cpu: 1 }', CRITICAL)}`,
    );
    expect(statusOf(ran, 'half')).toEqual({
      phase: 'Failed',
      reason: 'Preempting',
      message: 'Preempted in order to admit critical pod',
    });
    expect([statusOf(ran, 'one'), statusOf(ran, 'vital')]).toEqual([RUNNING, RUNNING]);
    expect(events(ran)).toEqual(['half Preempting: Preempted in order to admit critical pod']);
  });

  it('waits until they are gone', () => {
    const slow = `{ apply: { apiVersion: v1, kind: Pod, metadata: { name: slow, annotations: { sim.orch.io/term-delay: "10" } }, spec: { nodeName: a, containers: [{ name: c, image: "c:1", resources: { requests: { cpu: 2 } } }] } } }`;
    const ran = run(
      FURNISHED,
      `${slow}, { at: 2s, note: now }, ${pod('vital', '{ cpu: 1 }', CRITICAL)}, { at: 11s, expect: { match: { kind: Pod, metadata: { name: vital }, status: { phase: Pending } } } }`,
    );
    expect(ran.failures).toEqual([]);
    expect(statusOf(ran, 'slow').reason).toBe('Preempting');
    expect(statusOf(ran, 'vital')).toEqual(RUNNING);
  });

  it('fails where no pod can be preempted', () => {
    const ran = run(FURNISHED, pod('vital', '{ cpu: 3 }', CRITICAL));
    expect(statusOf(ran, 'vital')).toEqual({
      phase: 'Failed',
      reason: 'UnexpectedAdmissionError',
      message:
        'Pod Unexpected error while attempting to recover from admission failure: preemption: error finding a set of pods to preempt: no set of running pods found to reclaim resources: [(res: cpu, q: 1000), ]',
    });
  });

  it('that is refused as a static pod takes no room', () => {
    const big = `{ path: /m/big.yaml, pod: { metadata: { name: big }, spec: { containers: [{ name: c, image: "c:1", resources: { requests: { cpu: 3 } } }] } } }`;
    const ran = run(
      `{ nodes: [{ name: a, agent: { staticPodPath: /m }, capacity: { cpu: 2 } }], podSources: [${big}] }`,
      `{ at: 5s, note: now }, ${burstable('plain', '1')}`,
    );
    expect(events(ran)).toContainEqual(expect.stringContaining('big-a UnexpectedAdmissionError: '));
    expect(statusOf(ran, 'plain')).toEqual(RUNNING);
  });

  it('is every static pod: it preempts others, and of two that do not fit together one fails', () => {
    const file = (name: string, cpu: string): string =>
      `{ path: /m/${name}.yaml, from: 5s, pod: { metadata: { name: ${name} }, spec: { containers: [{ name: c, image: "c:1", resources: { requests: { cpu: ${cpu} } } }] } } }`;
    const ran = run(
      `{ nodes: [{ name: a, agent: { staticPodPath: /m }, capacity: { cpu: 2 } }], podSources: [${file('m', '1500m')}, ${file('q', '1')}] }`,
      burstable('plain', '1'),
      '2m',
    );
    expect(statusOf(ran, 'plain').reason).toBe('Preempting');
    expect(statusOf(ran, 'm-a')).toEqual(RUNNING);
    // The refused pod has no mirror: only its event is visible.
    expect(podOf(ran, 'q-a')).toBeUndefined();
    expect(events(ran)).toContainEqual(expect.stringContaining('q-a UnexpectedAdmissionError: '));
  });
});

describe('before its resources, an agent looks at', () => {
  it('the pressures of its node: only pods without requests are refused for memory', () => {
    const used = 'usage: [{ selector: { matchLabels: { app: big } }, memory: 950Mi }]';
    const node = '{ name: a, agent: { evictionHard: { memory.available: 100Mi } }, capacity: { cpu: 2, memory: 1000Mi } }';
    const big = pod('big', '{ memory: 900Mi }', 'priorityClassName: system-node-critical, priority: 2000001000,').replace(
      '{ name: big }',
      '{ name: big, labels: { app: big } }',
    );
    const ran = run(
      `{ bootstrap: true, nodes: [${node}], ${used} }`,
      `${big}, { at: 30s, note: now }, ${pod('none', '{}', `securityContext: { sysctls: [{ name: net.x, value: "1" }] },`)}, ${pod('some', '{ cpu: 100m }')}`,
    );
    expect(['none', 'some', 'big'].map((name) => statusOf(ran, name))).toEqual([
      { phase: 'Failed', reason: 'Evicted', message: 'Pod The node had condition: [MemoryPressure]. ' },
      // It was admitted, and then evicted in place of the critical one.
      { phase: 'Failed', reason: 'Evicted', message: 'The node was low on resource: memory. ' },
      RUNNING,
    ]);
  });

  it('sysctls', () => {
    const sysctl = (name: string): string => `securityContext: { sysctls: [{ name: ${name}, value: "1" }] },`;
    const ran = run(
      SMALL,
      `${pod('safe', '{}', sysctl('net.ipv4.tcp_syncookies'))}, ${pod('unsafe', '{ cpu: 3 }', sysctl('kernel.msgmax'))}`,
    );
    expect(['safe', 'unsafe'].map((name) => statusOf(ran, name))).toEqual([
      RUNNING,
      { phase: 'Failed', reason: 'SysctlForbidden', message: 'Pod forbidden sysctl: "kernel.msgmax" not allowlisted' },
    ]);
  });

  it('its exclusive CPUs, which pods that have ended and pods without any do not take', () => {
    const exclusive = (name: string, cpu: string): string =>
      pod(name, `{ cpu: ${cpu}, memory: 10Mi }, limits: { cpu: ${cpu}, memory: 10Mi }`);
    const ran = run(
      '{ nodes: [{ name: a, numa: [{ cpus: 4, memory: 4Gi }], agent: { cpuManagerPolicy: static, systemReserved: { cpu: 500m } } }] }',
      `${exclusive('two', '2')}, ${pod('shared', '{ cpu: 1 }')}, ${exclusive('more', '2')}, { at: 10s, delete: Pod/two }, { at: 50s, note: now }, ${exclusive('later', '2')}`,
      '55s',
    );
    expect(['shared', 'more', 'later'].map((name) => statusOf(ran, name))).toEqual([
      RUNNING,
      {
        phase: 'Failed',
        reason: 'UnexpectedAdmissionError',
        message: 'Pod Allocate failed due to not enough cpus available to satisfy request, which is unexpected',
      },
      RUNNING,
    ]);
  });

  it('the exclusive CPUs of static pods that it admits with them', () => {
    const file = (name: string, resources: string): string =>
      `{ path: /m/${name}.yaml, pod: { metadata: { name: ${name} }, spec: { containers: [{ name: c, image: "c:1", resources: ${resources} }] } } }`;
    const two = '{ limits: { cpu: 2, memory: 10Mi } }';
    const ran = run(
      `{ nodes: [{ name: a, numa: [{ cpus: 4, memory: 4Gi }], agent: { staticPodPath: /m, cpuManagerPolicy: static, systemReserved: { cpu: 500m } } }], podSources: [${file('a', '{}')}, ${file('b', two)}, ${file('c', two)}] }`,
      '{ at: 5s, note: now }',
    );
    expect(['a-a', 'b-a', 'c-a'].map((name) => podOf(ran, name)?.status.phase)).toEqual(['Running', 'Running', undefined]);
    expect(events(ran)).toEqual([
      'c-a UnexpectedAdmissionError: Allocate failed due to not enough cpus available to satisfy request, which is unexpected',
    ]);
  });
});
