/** Which objects of a log are known, and how steps refer to them. */
import { describe, expect, it } from 'vitest';
import { scenarioIn } from '../../support/scenarios.ts';
import { controller, create, incidentIn, owned, type Sent } from './log.ts';

describe('objects that clients make', () => {
  it('by a patch are there, and have the state that was answered', () => {
    const apply: Sent = {
      verb: 'patch',
      of: 'deployments',
      group: 'apps',
      name: 'web',
      body: { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' } },
      answer: owned('Deployment', 'web'),
      more: { requestURI: '/a?fieldManager=me' },
    };
    const scale = (replicas: number): Sent => ({
      verb: 'update',
      of: 'deployments',
      group: 'apps',
      name: 'web',
      user: controller('deployment'),
      body: {},
      answer: { ...owned('Deployment', 'web'), spec: { replicas } },
    });
    const { scenario, leftOut: left } = incidentIn([apply, scale(2), scale(2), scale(3)]);
    expect([scenario.steps.map(({ verb }) => verb), scenario.recorded?.writes, left]).toEqual([
      ['apply'],
      [{ atMs: 4000, of: 'Deployment default/web', did: 'replicas 3', by: 'deployment-controller', log: 'audit.log:4' }],
      [],
    ]);
  });

  it('that were deleted can be made again', () => {
    const made = create('configmaps', owned('ConfigMap', 'a'));
    expect(
      incidentIn([
        made,
        { verb: 'delete', of: 'configmaps', name: 'a' },
        made,
        { verb: 'patch', of: 'configmaps', name: 'a', body: {} },
      ]).scenario.steps.map(({ verb }) => verb),
    ).toEqual(['create', 'delete', 'create', 'patch']);
  });

  it('with a drawn name are found by what it begins with', () => {
    const drawn = create('configmaps', owned('ConfigMap', 'a-x', undefined, { generateName: 'a-' }), {
      body: { kind: 'ConfigMap', metadata: { generateName: 'a-' } },
    });
    const again = { ...drawn, name: 'a-y', answer: owned('ConfigMap', 'a-y', undefined, { generateName: 'a-' }) };
    const remove = (name: string): Sent => ({ verb: 'delete', of: 'configmaps', name, body: {} });
    expect(
      incidentIn([drawn, again, remove('a-y'), remove('a-x')])
        .scenario.steps.slice(2)
        .map((step) => ('target' in step ? step.target : step)),
    ).toEqual([
      {
        kind: 'ConfigMap',
        namespace: 'default',
        cel: { cel: "has(self.metadata.generateName) && self.metadata.generateName == 'a-'" },
        nth: 2,
      },
      {
        kind: 'ConfigMap',
        namespace: 'default',
        cel: { cel: "has(self.metadata.generateName) && self.metadata.generateName == 'a-'" },
        nth: 1,
      },
    ]);
  });

  it('of a StatefulSet have the names that follow from it', () => {
    const set = create('statefulsets', owned('StatefulSet', 'db'), { group: 'apps' });
    const pod = create('pods', owned('Pod', 'db-0', ['StatefulSet', 'db']), { user: controller('statefulset') });
    const { scenario } = incidentIn([set, pod, { verb: 'delete', of: 'pods', name: 'db-0', body: {} }]);
    expect([scenario.recorded?.writes, scenario.steps.at(-1)]).toEqual([
      [{ atMs: 2000, of: 'Pod of StatefulSet default/db', did: 'created', by: 'statefulset-controller', log: 'audit.log:2' }],
      {
        timing: { when: 'at', atMs: 3000 },
        verb: 'delete',
        target: { kind: 'Pod', namespace: 'default', name: 'db-0' },
        as: { user: 'jane' },
        code: 200,
      },
    ]);
  });
});

describe("pods of a client's controllers", () => {
  const hash = { labels: { 'pod-template-hash': '5d' } };
  const pod = (name: string) => create('pods', owned('Pod', name, ['ReplicaSet', 'web.a-5d'], hash), { user: controller('replicaset') });
  const rollout: readonly Sent[] = [
    create('deployments', owned('Deployment', 'web.a'), { group: 'apps' }),
    create('replicasets', owned('ReplicaSet', 'web.a-5d', ['Deployment', 'web.a'], hash), {
      group: 'apps',
      user: controller('deployment'),
    }),
    pod('web.a-5d-x'),
    pod('web.a-5d-y'),
    pod('web.a-5d-z'),
  ];
  const bind = (name: string): Sent => ({
    verb: 'create',
    of: 'pods/binding',
    name,
    user: 'system:kube-scheduler',
    body: { target: { name: 'n' } },
  });
  const remove = (name: string, at: number): Sent => ({ verb: 'delete', of: 'pods', name, body: {}, at });
  const targets = (...sent: readonly Sent[]) =>
    incidentIn(sent).scenario.steps.flatMap((step) => (step.verb === 'delete' ? [step.target] : []));
  const nths = (...sent: readonly Sent[]) => targets(...sent).map(({ nth }) => nth);

  it('are found by their owner, whose name may be drawn', () => {
    expect(targets(...rollout, remove('web.a-5d-y', 10))).toEqual([
      {
        kind: 'Pod',
        namespace: 'default',
        cel: {
          cel: "has(self.metadata.ownerReferences) && self.metadata.ownerReferences.exists(o, o.kind == 'ReplicaSet' && o.name.matches('^web[.]a-[a-z0-9]+$'))",
        },
        nth: 2,
      },
    ]);
    const job = create('jobs', owned('Job', 'pi'), { group: 'batch' });
    const worker = create('pods', owned('Pod', 'pi-x', ['Job', 'pi']), { user: controller('job') });
    expect(targets(job, worker, remove('pi-x', 10)).map(({ cel, nth }) => [cel?.cel, nth])).toEqual([
      ["has(self.metadata.ownerReferences) && self.metadata.ownerReferences.exists(o, o.kind == 'Job' && o.name == 'pi')", 1],
    ]);
  });

  it('count while they are there: one without a node is gone at once, another after its deletion', () => {
    expect(nths(...rollout, remove('web.a-5d-x', 10), remove('web.a-5d-z', 11))).toEqual([1, 2]);
    const bound = [...rollout, bind('web.a-5d-x'), remove('web.a-5d-x', 10)];
    expect(nths(...bound, remove('web.a-5d-z', 44), remove('web.a-5d-y', 44))).toEqual([1, 3, 2]);
    expect(nths(...bound, remove('web.a-5d-z', 45), remove('web.a-5d-y', 46))).toEqual([1, 2, 1]);
  });
});

describe('an incident that begins with a dump', () => {
  const base = scenarioIn(`
apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: incident }
spec: { domain: k8s.io, startTime: 2024-03-01T00:00:05Z, steps: [] }
`);
  const object = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'a', namespace: 'default', uid: 'u', resourceVersion: '1', creationTimestamp: '2024-03-01T00:00:00Z' },
  };
  const withDump = { ...base, from: { snapshot: { objects: [object] } } } as unknown as typeof base;

  it('has its objects, not those that every cluster has, and no request from before it', () => {
    const sent: readonly Sent[] = [
      { verb: 'patch', of: 'configmaps', name: 'a', body: {}, at: 4 },
      { verb: 'patch', of: 'configmaps', name: 'a', body: {}, at: 5 },
      { verb: 'delete', of: 'namespaces', namespace: undefined, name: 'kube-system', body: {}, at: 6 },
      { verb: 'update', of: 'nodes', namespace: undefined, name: 'n', user: 'system:node:n', body: {}, at: 7, answer: owned('Node', 'n') },
    ];
    const { scenario, leftOut: left } = incidentIn(sent, withDump);
    expect([scenario.steps, scenario.cluster.nodes, left]).toEqual([
      [
        {
          timing: { when: 'at', atMs: 0 },
          verb: 'patch',
          target: { kind: 'ConfigMap', namespace: 'default', name: 'a' },
          type: 'strategic',
          patch: {},
          as: { user: 'jane' },
          code: 200,
        },
      ],
      [
        { name: 'node-0', capacity: { cpu: '4', memory: '8Gi', pods: '110' } },
        { name: 'node-1', capacity: { cpu: '4', memory: '8Gi', pods: '110' } },
        { name: 'node-2', capacity: { cpu: '4', memory: '8Gi', pods: '110' } },
      ],
      [
        { why: 'requests from before the dump', count: 1, first: ['audit.log:1: patch configmaps default/a by jane'] },
        { why: 'requests about objects from before the log', count: 1, first: ['audit.log:3: delete namespaces kube-system by jane'] },
      ],
    ]);
    expect(incidentIn(sent, base).scenario.steps.map(({ verb, timing }) => [verb, timing])).toEqual([
      ['delete', { when: 'at', atMs: 1000 }],
    ]);
  });
});
