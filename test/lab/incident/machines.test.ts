/** What nodes and containers did, which a run takes from the log: nodes, times and ends of pods, silences. */
import { describe, expect, it } from 'vitest';
import { incidentIn, type Sent } from './log.ts';

const NODE_USER = 'system:node:n';
const report = (name: string, at: number, more: object = {}): Sent => ({
  verb: 'update',
  of: 'nodes/status',
  namespace: undefined,
  name,
  user: `system:node:${name}`,
  at,
  body: {},
  answer: { kind: 'Node', metadata: { name }, ...more },
});
const renewal = (name: string, at: number): Sent => ({
  verb: 'update',
  of: 'leases',
  group: 'coordination.k8s.io',
  namespace: 'kube-node-lease',
  name,
  user: `system:node:${name}`,
  at,
});
const cluster = (...sent: readonly Sent[]) => incidentIn(sent).scenario.cluster;

describe('nodes', () => {
  it('are those that reported, that renewed a lease, and to which pods were bound', () => {
    const { nodes } = cluster(
      report('n', 1, {
        metadata: {
          name: 'n',
          labels: {
            zone: 'a',
            'kubernetes.io/hostname': 'n',
            'beta.kubernetes.io/os': 'linux',
            'x/os': 'y',
            'node.kubernetes.io/instance-type': 't',
            arch: 1,
          },
        },
        spec: {
          taints: [
            { key: 'a', value: 'b', effect: 'NoSchedule' },
            { key: 'c', value: 1, effect: 'NoExecute' },
            { key: 'd', effect: 'PreferNoSchedule' },
            { key: 'e', effect: 'Other' },
            { key: 1, effect: 'NoSchedule' },
            'text',
            { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' },
            { key: 'node.kubernetes.io/memory-pressure', effect: 'NoSchedule' },
            { key: 'node.orch.io/unreachable', effect: 'NoExecute' },
            { key: 'node.example.io/unreachable', effect: 'NoExecute' },
          ],
        },
        status: { capacity: { cpu: '2', memory: 1, pods: '10' } },
      }),
      report('m', 2, { spec: { taints: 'x' }, status: { capacity: {} } }),
      renewal('l', 3),
      report('z', 4, { kind: 'Status' }),
    );
    expect(nodes).toEqual([
      { name: 'l', capacity: { cpu: '4', memory: '8Gi', pods: '110' } },
      { name: 'm', capacity: { cpu: '4', memory: '8Gi', pods: '110' } },
      {
        name: 'n',
        capacity: { cpu: '2', pods: '10' },
        labels: { zone: 'a', 'x/os': 'y' },
        taints: [
          { key: 'a', effect: 'NoSchedule', value: 'b' },
          { key: 'c', effect: 'NoExecute' },
          { key: 'd', effect: 'PreferNoSchedule' },
          { key: 'node.example.io/unreachable', effect: 'NoExecute' },
        ],
      },
      { name: 'z', capacity: { cpu: '4', memory: '8Gi', pods: '110' } },
    ]);
  });

  it('have no failure while they report', () => {
    expect(incidentIn([report('n', 1), renewal('n', 2), report('n', 3)]).scenario.steps).toEqual([]);
  });
});

describe('silences', () => {
  const unknown = (name: string, at: number): Sent => ({
    verb: 'patch',
    of: 'nodes/status',
    namespace: undefined,
    name,
    user: 'system:serviceaccount:kube-system:node-controller',
    at,
    body: {},
    answer: { kind: 'Node', metadata: { name }, status: { conditions: [{ type: 'Ready', status: 'Unknown' }] } },
  });
  const ready = (name: string, at: number): Sent => report(name, at, { status: { conditions: [{ type: 'Ready', status: 'True' }] } });
  const faults = (...sent: readonly Sent[]) =>
    incidentIn(sent).scenario.steps.map((step) => [step.verb === 'fault' ? step.fault : step, step.timing]);

  it('begin after the last renewal, and end with the next report', () => {
    expect(faults(renewal('n', 60), unknown('n', 100), ready('n', 130), ready('n', 140))).toEqual([
      [
        { name: 'nodeDown', subject: 'n', parameters: {} },
        { when: 'at', atMs: 62500 },
      ],
      [
        { name: 'nodeUp', subject: 'n', parameters: {} },
        { when: 'at', atMs: 130000 },
      ],
    ]);
  });

  it('begin 37.5 seconds before they are noticed where the last renewal was earlier, and may not end', () => {
    expect(faults(ready('n', 10), renewal('n', 50), unknown('n', 100))).toEqual([
      [
        { name: 'nodeDown', subject: 'n', parameters: {} },
        { when: 'at', atMs: 62500 },
      ],
    ]);
    expect(faults(ready('n', 10), unknown('n', 30), ready('n', 40), unknown('n', 200))).toEqual([
      [
        { name: 'nodeDown', subject: 'n', parameters: {} },
        { when: 'at', atMs: 10001 },
      ],
      [
        { name: 'nodeUp', subject: 'n', parameters: {} },
        { when: 'at', atMs: 40000 },
      ],
      [
        { name: 'nodeDown', subject: 'n', parameters: {} },
        { when: 'at', atMs: 162500 },
      ],
    ]);
  });

  it('end only by the node', () => {
    expect(
      faults(unknown('n', 100), {
        ...unknown('n', 110),
        answer: { kind: 'Node', metadata: { name: 'n' }, status: { conditions: [{ type: 'Ready', status: 'True' }] } },
      }),
    ).toEqual([
      [
        { name: 'nodeDown', subject: 'n', parameters: {} },
        { when: 'at', atMs: 62500 },
      ],
    ]);
  });
});

describe('pods', () => {
  const labels = { app: 'web', 'pod-template-hash': 'h', 'statefulset.kubernetes.io/pod-name': 'x' };
  const made = (name: string, at: number, more: object = labels): Sent => ({
    verb: 'create',
    of: 'pods',
    name,
    at,
    code: 201,
    body: { kind: 'Pod', metadata: { name, labels: more } },
    answer: { kind: 'Pod', metadata: { name, labels: more } },
  });
  const bound = (name: string, at: number, node: string): Sent => ({
    verb: 'create',
    of: 'pods/binding',
    name,
    at,
    code: 201,
    user: 'system:kube-scheduler',
    body: { target: { name: node } },
  });
  const status = (name: string, at: number, phase: string, isReady = false, exitCodes: readonly number[] = []): Sent => ({
    verb: 'patch',
    of: 'pods/status',
    name,
    at,
    user: NODE_USER,
    body: {},
    answer: {
      kind: 'Pod',
      metadata: { name, labels },
      status: {
        phase,
        conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False' }],
        containerStatuses: exitCodes.map((exitCode) => ({ state: { terminated: { exitCode } } })),
      },
    },
  });
  const behaviors = (...sent: readonly Sent[]) => cluster(...sent).podBehaviors;

  it('behave by their labels as they did: the median times, the nodes in order', () => {
    expect(
      behaviors(
        made('a', 1),
        made('b', 1),
        made('c', 1),
        bound('a', 3, 'm'),
        bound('b', 2, 'n'),
        bound('c', 4, 'm'),
        status('a', 4, 'Running'),
        status('b', 4, 'Running'),
        status('c', 9, 'Running'),
        status('a', 5, 'Running', true),
        status('b', 8, 'Running', true),
      ),
    ).toEqual([
      { selector: { matchLabels: { app: 'web' } }, namespace: 'default', nodes: ['n', 'm', 'm'], startDelayMs: 2000, readyDelayMs: 4000 },
    ]);
  });

  it('end with their exit codes, of which the last repeats', () => {
    const run = (
      name: string,
      at: number,
      codes: readonly number[],
      phase = codes.some((code) => code > 0) ? 'Failed' : 'Succeeded',
    ): readonly Sent[] => [made(name, at), bound(name, at + 1, 'n'), status(name, at + 11, phase, false, codes)];
    expect(behaviors(...run('a', 1, [0]), ...run('b', 2, [0]))).toEqual([
      { selector: { matchLabels: { app: 'web' } }, namespace: 'default', nodes: ['n', 'n'], runForMs: 10000 },
    ]);
    expect(behaviors(...run('a', 5, [0, 3]), ...run('b', 2, [0]), ...run('c', 30, [], 'Failed'), ...run('d', 40, [], 'Failed'))).toEqual([
      {
        selector: { matchLabels: { app: 'web' } },
        namespace: 'default',
        nodes: ['n', 'n', 'n', 'n'],
        runForMs: 10000,
        exitCodes: [0, 3, 1],
      },
    ]);
  });

  it('that are deleted do not end by themselves', () => {
    expect(
      behaviors(made('a', 1), bound('a', 2, 'n'), { verb: 'delete', of: 'pods', name: 'a', at: 3 }, status('a', 4, 'Failed', false, [1])),
    ).toEqual([{ selector: { matchLabels: { app: 'web' } }, namespace: 'default', nodes: ['n'] }]);
  });

  it('without labels or times say nothing', () => {
    expect(behaviors(made('a', 1, {}), bound('a', 2, 'n'), made('b', 3))).toEqual([]);
  });

  it('with more labels come first', () => {
    const all = behaviors(made('a', 1), bound('a', 2, 'n'), made('b', 3, { app: 'web', tier: 'x' }), bound('b', 4, 'm'));
    expect(all.map(({ selector, nodes }) => [selector?.matchLabels, nodes])).toEqual([
      [{ app: 'web', tier: 'x' }, ['m']],
      [{ app: 'web' }, ['n']],
    ]);
  });

  it('of jobs with drawn names have any name of a job', () => {
    const job: Sent = {
      verb: 'create',
      of: 'jobs',
      group: 'batch',
      name: 'j-x',
      at: 1,
      code: 201,
      body: { kind: 'Job', metadata: { generateName: 'j-' } },
      answer: { kind: 'Job', metadata: { name: 'j-x', generateName: 'j-' } },
    };
    const pod = {
      kind: 'Pod',
      metadata: {
        name: 'j-x-y',
        generateName: 'j-x-',
        labels: { 'job-name': 'j-x', 'controller-uid': 'u' },
        ownerReferences: [{ kind: 'Job', name: 'j-x', uid: 'u', controller: true }],
      },
    };
    const child: Sent = {
      verb: 'create',
      of: 'pods',
      name: 'j-x-y',
      at: 2,
      code: 201,
      user: 'system:serviceaccount:kube-system:job-controller',
      body: pod,
      answer: pod,
    };
    const { scenario } = incidentIn([job, child, bound('j-x-y', 3, 'n'), { verb: 'delete', of: 'pods', name: 'j-x-y', at: 4 }]);
    expect(scenario.cluster.podBehaviors).toEqual([
      { selector: { matchExpressions: [{ key: 'job-name', operator: 'Exists' }] }, namespace: 'default', nodes: ['n'] },
    ]);
    expect(scenario.steps.at(-1)).toEqual({
      timing: { when: 'at', atMs: 4000 },
      verb: 'delete',
      target: {
        kind: 'Pod',
        namespace: 'default',
        cel: {
          cel: "has(self.metadata.ownerReferences) && self.metadata.ownerReferences.exists(o, o.kind == 'Job' && o.name.matches('^j-[a-z0-9]+$'))",
        },
        nth: 1,
      },
      as: { user: 'jane' },
      code: 200,
    });
    expect(scenario.recorded).toEqual({
      withinMs: 10000,
      untilMs: 4000,
      covers: ['Job created', 'Pod bound', 'Pod created', 'Pod deleted', 'ReplicaSet created'],
      writes: [
        { atMs: 2000, of: 'Pod of Job default/j-*', did: 'created', by: 'job-controller', log: 'audit.log:2' },
        { atMs: 3000, of: 'Pod of Job default/j-*', did: 'bound to n', by: 'scheduler', log: 'audit.log:3' },
      ],
    });
  });
});
