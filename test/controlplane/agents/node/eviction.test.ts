/** Eviction under node pressure: which pod, when, with which grace period, and how long the condition stays. */
import { describe, expect, it } from 'vitest';
import type { Node, Pod } from '../../../../src/apiserver/kinds/index.ts';
import { simulate, type Run } from '../../../../src/lab/simulation/index.ts';
import { scenarioIn } from '../../../support/scenarios.ts';

/** A node with 1000Mi of memory and 10Gi of disk; usage of pods by their label `app`. */
const run = (agent: string, usage: string, pods: string, until = '5m', more = ''): Run =>
  simulate(
    scenarioIn(`apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: eviction }
spec:
  until: ${until}
  cluster:
    nodes: [{ name: a, agent: ${agent}, capacity: { memory: 1000Mi, ephemeral-storage: 10Gi, pids: "1000" } }]
    usage: ${usage}
${more}
${pods}`),
    { trace: true },
  );
const pod = (name: string, resources = '{}', spec = ''): string =>
  `---\n{ apiVersion: v1, kind: Pod, metadata: { name: ${name}, labels: { app: ${name} } }, spec: { ${spec} containers: [{ name: c, image: "c:1", resources: ${resources} }] } }\n`;
const of = (app: string, what: string): string => `{ selector: { matchLabels: { app: ${app} } }, ${what} }`;

interface Reported {
  readonly involvedObject: { readonly kind: string; readonly name: string };
  readonly reason: string;
  readonly message: string;
  readonly firstTimestamp: string;
}
const events = ({ cluster }: Run, reason: string): readonly string[] =>
  [...cluster.store.values('Event')]
    .map((event) => event as unknown as Reported)
    .filter((event) => event.reason === reason)
    .map(({ involvedObject, message, firstTimestamp }) => {
      const at = (Date.parse(firstTimestamp) - cluster.startAt) / 1000;
      return `${at} ${involvedObject.name} ${message}`;
    });
/** The seconds at which pods were evicted. */
const evictedAt = (ran: Run): Readonly<Record<string, number>> =>
  Object.fromEntries(events(ran, 'Evicted').map((line) => [line.split(' ')[1] ?? '', Number(line.split(' ')[0])]));
/** The changes of a node condition: seconds and status. */
const condition = (ran: Run, type: string): readonly string[] => {
  const seen: string[] = [];
  for (const entry of ran.trace?.entries ?? []) {
    if (entry.type !== 'write' || entry.change.kind !== 'Node') continue;
    const status = (entry.change.object as Node).status.conditions?.find((each) => each.type === type)?.status ?? '';
    if (seen.at(-1)?.endsWith(status) !== true) seen.push(`${Math.round((entry.at - ran.cluster.startAt) / 1000)} ${status}`);
  }
  return seen.filter((line) => !line.startsWith('-'));
};
const podOf = ({ cluster }: Run, name: string): Pod | undefined => cluster.store.get('Pod', `default/${name}`);

// 950Mi from the first minute on, which leaves 50Mi of 1000Mi.
const BURST = (mi: string) => `[{ at: 0s, is: 10Mi }, { at: 1m, is: ${mi} }]`;

describe('a hard threshold', () => {
  it('of evictionHard evicts, at the next synchronization and without grace, the pod that most exceeds its request', () => {
    const ran = run(
      '{}',
      `[${of('hog', `memory: ${BURST('600Mi')}`)}, ${of('fair', 'memory: 350Mi')}]`,
      pod('hog', '{ requests: { memory: 100Mi } }') + pod('fair', '{ requests: { memory: 400Mi } }'),
    );
    expect(Object.keys(evictedAt(ran))).toEqual(['hog']);
    expect(evictedAt(ran)['hog']).toBeGreaterThanOrEqual(60);
    expect(evictedAt(ran)['hog']).toBeLessThanOrEqual(70);
    expect(podOf(ran, 'hog')?.status).toMatchObject({
      phase: 'Failed',
      reason: 'Evicted',
      message: 'The node was low on resource: memory. Container c was using 614400Ki, which exceeds its request of 100Mi. ',
    });
    expect(podOf(ran, 'fair')?.status.phase).toBe('Running');
    expect(events(ran, 'EvictionThresholdMet')[0]).toContain('a Attempting to reclaim memory');
  });

  it('is disabled at 0% and at 100%, and evicts nothing above it', () => {
    const usage = `[${of('hog', `memory: ${BURST('950Mi')}`)}]`;
    for (const off of ['0%', '100%', '49Mi'])
      expect(evictedAt(run(`{ evictionHard: { memory.available: ${off} } }`, usage, pod('hog')))).toEqual({});
    expect(Object.keys(evictedAt(run('{ evictionHard: { memory.available: 51Mi } }', usage, pod('hog'))))).toEqual(['hog']);
    expect(Object.keys(evictedAt(run('{ evictionHard: { memory.available: 6% } }', usage, pod('hog'))))).toEqual(['hog']);
  });

  it('of allocatable memory counts too, unless enforceNodeAllocatable leaves out pods', () => {
    const usage = `[${of('hog', `memory: ${BURST('750Mi')}`)}]`;
    const reserved = 'systemReserved: { memory: 200Mi }';
    expect(Object.keys(evictedAt(run(`{ ${reserved} }`, usage, pod('hog'))))).toEqual(['hog']);
    expect(evictedAt(run(`{ ${reserved}, enforceNodeAllocatable: [none] }`, usage, pod('hog')))).toEqual({});
  });

  it('of the disk and of processes is one too', () => {
    const disk = run('{}', `[${of('writer', 'disk: { from: 1Gi, to: 10Gi, over: 1m }')}]`, pod('writer'));
    expect(podOf(disk, 'writer')?.status.message).toContain('low on resource: ephemeral-storage. Container c was using ');
    expect(condition(disk, 'DiskPressure')[0]).toMatch(/True/);
    const pids = run('{ evictionHard: { pid.available: 10% } }', `[${of('forks', 'pids: 950')}]`, pod('forks'));
    expect(podOf(pids, 'forks')?.status.message).toBe('The node was low on resource: pids. ');
  });
});

describe('ranking', () => {
  it('orders pods by excess over the request, then by priority, then by the amount', () => {
    const usage = `[${['small', 'large', 'dear'].map((app, i) => of(app, `memory: ${BURST(['250Mi', '300Mi', '400Mi'][i] ?? '')}`)).join(', ')}]`;
    const pods = `---\n{ apiVersion: scheduling.orch.io/v1, kind: PriorityClass, metadata: { name: dear }, value: 1000 }\n${pod('small')}${pod('large')}`;
    const dear = (spec: string) => pods + pod('dear', '{}', spec);
    expect(Object.keys(evictedAt(run('{}', usage, dear(''))))).toEqual(['dear']);
    expect(Object.keys(evictedAt(run('{}', usage, dear('priorityClassName: dear,'))))).toEqual(['large']);
  });

  it('never evicts a system-critical pod', () => {
    const critical = pod('hog', '{}', 'priorityClassName: system-node-critical,').replace(
      'name: hog,',
      'name: hog, namespace: orch-system,',
    );
    const ran = run('{}', `[${of('hog', 'memory: 950Mi')}]`, critical, '1m');
    expect(ran.failures).toEqual([]);
    expect(evictedAt(ran)).toEqual({});
  });
});

describe('a soft threshold', () => {
  const SOFT = 'evictionSoft: { memory.available: 300Mi }, evictionSoftGracePeriod: { memory.available: 30s }';
  const usage = `[${of('hog', `memory: ${BURST('800Mi')}`)}]`;

  it('of evictionSoft must be met for evictionSoftGracePeriod', () => {
    const at = evictedAt(run(`{ ${SOFT} }`, usage, pod('hog')))['hog'];
    expect(at).toBeGreaterThanOrEqual(90);
    expect(at).toBeLessThanOrEqual(100);
    const short = `[${of('hog', 'memory: [{ at: 0s, is: 10Mi }, { at: 1m, is: 800Mi }, { at: 85s, is: 10Mi }, { at: 95s, is: 800Mi }, { at: 110s, is: 10Mi }]')}]`;
    expect(evictedAt(run(`{ ${SOFT} }`, short, pod('hog')))).toEqual({});
  });

  it('gives pods their own grace period, at most evictionMaxPodGracePeriod', () => {
    const ended = (agent: string): number => {
      const ran = run(`{ ${SOFT} ${agent} }`, usage, pod('hog'), '5m', '    podBehaviors: [{ terminationDelay: 20s }]');
      const failed = ran.trace?.entries.find(
        (entry) => entry.type === 'write' && entry.change.kind === 'Pod' && (entry.change.object as Pod).status.phase === 'Failed',
      );
      return Math.floor(((failed?.at ?? 0) - ran.cluster.startAt) / 1000) - (evictedAt(ran)['hog'] ?? 0);
    };
    expect(ended('')).toBe(0);
    expect(ended(', evictionMaxPodGracePeriod: 5')).toBe(5);
    expect(ended(', evictionMaxPodGracePeriod: -1')).toBe(20);
  });
});

describe('a node under pressure', () => {
  const usage = `[${of('hog', `memory: ${BURST('950Mi')}`)}]`;

  it('keeps its condition until evictionPressureTransitionPeriod has passed, and gets no new pods', () => {
    const [short, well] = condition(run('{ evictionPressureTransitionPeriod: 1m }', usage, pod('hog')), 'MemoryPressure');
    const [from, to] = [Number(short?.split(' ')[0]), Number(well?.split(' ')[0])];
    expect([short?.split(' ')[1], well?.split(' ')[1]]).toEqual(['True', 'False']);
    expect(to - from).toBeGreaterThanOrEqual(50);
    expect(to - from).toBeLessThanOrEqual(80);
    expect(condition(run('{}', usage, pod('hog'), '4m'), 'MemoryPressure')).toHaveLength(1);
  });

  it('refuses best-effort pods that are bound to it, unless they tolerate its taint', () => {
    const late = (name: string, resources: string, toleration = '') =>
      `    - { at: 90s, apply: { apiVersion: v1, kind: Pod, metadata: { name: ${name} }, spec: { nodeName: a, tolerations: [${toleration}], containers: [{ name: c, image: "c:1", resources: ${resources} }] } } }\n`;
    const PRESSURE = 'key: node.orch.io/memory-pressure';
    const tolerant = {
      any: '{ operator: Exists }',
      here: `{ ${PRESSURE}, effect: NoSchedule }`,
      valued: `{ ${PRESSURE}, value: high }`,
      running: `{ ${PRESSURE}, operator: Exists, effect: NoExecute }`,
      elsewhere: '{ key: other, operator: Exists }',
    };
    const ran = run('{}', usage, pod('hog'), '2m', '').cluster;
    expect(ran.store.get('Node', 'a')?.spec.taints?.map(({ key }) => key)).toContain('node.orch.io/memory-pressure');
    const turned = simulate(
      scenarioIn(`apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: turned }
spec:
  until: 2m
  cluster: { nodes: [{ name: a, capacity: { memory: 1000Mi } }], usage: ${usage} }
  steps:
${late('best', '{}')}${late('burst', '{ requests: { memory: 1Mi } }')}${Object.entries(tolerant)
        .map(([name, toleration]) => late(name, '{}', toleration))
        .join('')}
${pod('hog')}`),
    );
    expect(podOf(turned, 'best')?.status).toMatchObject({
      phase: 'Failed',
      reason: 'Evicted',
      message: 'Pod The node had condition: [MemoryPressure]. ',
    });
    expect(podOf(turned, 'burst')?.status.phase).toBe('Running');
    const phases = Object.keys(tolerant).map((name) => `${name} ${podOf(turned, name)?.status.phase ?? ''}`);
    expect(phases).toEqual(['any Running', 'here Running', 'valued Failed', 'running Failed', 'elsewhere Failed']);
  });

  it('evicts until evictionMinimumReclaim is available too', () => {
    const two = `[${of('a', `memory: ${BURST('500Mi')}`)}, ${of('b', `memory: ${BURST('450Mi')}`)}]`;
    expect(Object.keys(evictedAt(run('{}', two, pod('a') + pod('b'))))).toEqual(['a']);
    expect(Object.keys(evictedAt(run('{ evictionMinimumReclaim: { memory.available: 600Mi } }', two, pod('a') + pod('b'))))).toEqual([
      'a',
      'b',
    ]);
  });
});

describe('a container', () => {
  it('that needs more memory than its limit is killed at that moment, and restarted', () => {
    const ran = run(
      '{}',
      `[${of('leak', 'memory: { from: 0, to: 600Mi, over: 1m }')}]`,
      pod('leak', '{ limits: { memory: 300Mi } }'),
      '100s',
    );
    const [status] = podOf(ran, 'leak')?.status.containerStatuses ?? [];
    expect(status?.restartCount).toBeGreaterThanOrEqual(2);
    expect(status?.lastState?.terminated).toMatchObject({ exitCode: 137, reason: 'OOMKilled' });
  });

  it('that exceeds its storage limit is evicted, whatever is available', () => {
    const ran = run('{}', `[${of('log', 'disk: { from: 0, to: 2Gi, over: 1m }')}]`, pod('log', '{ limits: { ephemeral-storage: 1Gi } }'));
    expect(podOf(ran, 'log')?.status.message).toBe('Container c exceeded its local ephemeral storage limit "1Gi". ');
  });
});
