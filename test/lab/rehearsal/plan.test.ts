/** A rehearsal as a scenario: its phases, its steps and what must hold. */
import { describe, expect, it } from 'vitest';
import { deployment, type Members, planOf } from './charts.ts';

/** What is waited for is said by kind: the conditions stand in a test of their own. */
const briefly = (text: string): string =>
  text.replace(/^\{"expectation":\{"expect":"cel","expression":\{"cel":"objects\('(\w+)'\).*"withinMs":(\d+)\}$/, '$1 $2');

/** A line for each step. */
function stepsOf(plan: ReturnType<typeof planOf>): readonly string[] {
  const of = (target: Members) => [target['kind'], target['namespace'], target['name']].filter((each) => each !== undefined).join('/');
  return plan.scenario.steps.map((step) => {
    const { timing, verb, ...rest } = step as unknown as Members & {
      readonly timing: { readonly when: string; readonly atMs?: number };
      readonly verb: string;
    };
    const when = timing.when === 'at' ? `${(timing.atMs ?? 0) / 60_000}m` : timing.when;
    if (verb === 'apply')
      return `${when} apply ${(rest['objects'] as readonly { readonly object: Members }[]).map(({ object }) => `${String(object['kind'])}/${String((object['metadata'] as Members)['name'])}`).join(' ')}`;
    const target = rest['target'] as Members | undefined;
    return `${when} ${verb} ${target === undefined ? briefly(JSON.stringify(rest)) : of(target)}`;
  });
}

describe('a plan', () => {
  it('installs, rolls, drains and rolls back, each at its time', () => {
    const plan = planOf(
      [deployment('web', { replicas: 2 })],
      [deployment('web', { replicas: 2 }, 'i:2'), { kind: 'ConfigMap', metadata: { name: 'c' } }],
      { drain: ['node-1'], crash: ['manager'] },
    );
    expect(plan.phases).toEqual([
      { name: 'install', fromMs: 0, untilMs: 900000 },
      { name: 'roll', fromMs: 900000, untilMs: 1800000 },
      { name: 'drain node-1', fromMs: 1800000, untilMs: 2700000 },
      { name: 'roll back', fromMs: 2700000, untilMs: 3600000 },
    ]);
    expect(stepsOf(plan)).toEqual([
      '0m apply Deployment/web',
      'next waitFor Deployment 840000',
      '15m apply ConfigMap/c Deployment/web',
      'next fault {"fault":{"name":"crash","subject":"manager","parameters":{"restartAfter":30000}}}',
      'next waitFor Deployment 840000',
      '30m drain Node/node-1',
      'next waitFor Deployment 240000',
      'next uncordon Node/node-1',
      '45m apply Deployment/web',
      'next delete ConfigMap/default/c',
      'next fault {"fault":{"name":"crash","subject":"manager","parameters":{"restartAfter":30000}}}',
      'next waitFor Deployment 840000',
      'next expect {"expectations":[{"expect":"match","match":{"kind":"Deployment","metadata":{"name":"web","namespace":"default"},"spec":{"template":{"spec":{"containers":[{"name":"c","image":"i:1"}]}}}}},{"expect":"absent","target":{"kind":"ConfigMap","name":"c","namespace":"default"}}]}',
    ]);
    expect(plan.targets).toEqual([
      { kind: 'Deployment', name: 'web', namespace: 'default' },
      { kind: 'ConfigMap', name: 'c', namespace: 'default' },
    ]);
    const { steps: _, expressed: __, cluster, ...rest } = plan.scenario;
    expect(rest).toEqual({
      name: 'rehearsal',
      title: 'A release is installed, rolled, drained and rolled back',
      seed: 1,
      startAt: 1709251200000,
      untilMs: 3600000,
      limits: {},
      domain: 'k8s.io',
      featureGates: {},
      namespaces: [],
      manifests: [],
    });
    expect({ ...cluster, nodes: cluster.nodes?.length }).toEqual({
      nodes: 3,
      scheduler: [],
      latency: { api: { minMs: 0, maxMs: 0 }, watch: { minMs: 0, maxMs: 0 } },
      podBehaviors: [
        { selector: { matchExpressions: [{ key: 'job-name', operator: 'Exists' }] }, startDelayMs: 1000, runForMs: 10000 },
        { startDelayMs: 2000, readyDelayMs: 3000, terminationDelayMs: 1000 },
      ],
      storageDrivers: [],
    });
  });

  it('runs the hooks of each release', () => {
    const hook = (kind: string, name: string, annotations: Members): Members => ({ kind, metadata: { name, annotations } });
    const chart = [
      hook('Job', 'before', { 'helm.sh/hook': 'pre-install,pre-upgrade' }),
      hook('Pod', 'after', { 'helm.sh/hook': 'post-install', 'helm.sh/hook-delete-policy': 'hook-succeeded' }),
      hook('ConfigMap', 'back', { 'helm.sh/hook': 'pre-rollback, post-rollback', 'helm.sh/hook-delete-policy': 'hook-failed' }),
      { kind: 'Namespace', metadata: { name: 'n' } },
    ];
    expect(stepsOf(planOf(chart, chart, { drain: [] }))).toEqual([
      '0m delete Job/default/before',
      'next waitFor {"expectation":{"expect":"absent","target":{"kind":"Job","name":"before","namespace":"default"}},"withinMs":300000}',
      'next apply Job/before',
      'next waitFor {"expectation":{"expect":"cel","expression":{"cel":"object(\'Job/default/before\').status.conditions.exists(c, c.type == \'Complete\' && c.status == \'True\')"}},"withinMs":300000}',
      'next apply Namespace/n',
      'next apply Pod/after',
      'next waitFor {"expectation":{"expect":"cel","expression":{"cel":"object(\'Pod/default/after\').status.phase == \'Succeeded\'"}},"withinMs":300000}',
      'next delete Pod/default/after',
      'next waitFor {"expectation":{"expect":"absent","target":{"kind":"Pod","name":"after","namespace":"default"}},"withinMs":300000}',
      '15m delete Job/default/before',
      'next waitFor {"expectation":{"expect":"absent","target":{"kind":"Job","name":"before","namespace":"default"}},"withinMs":300000}',
      'next apply Job/before',
      'next waitFor {"expectation":{"expect":"cel","expression":{"cel":"object(\'Job/default/before\').status.conditions.exists(c, c.type == \'Complete\' && c.status == \'True\')"}},"withinMs":300000}',
      'next apply Namespace/n',
      '30m apply ConfigMap/back',
      'next apply Namespace/n',
      'next apply ConfigMap/back',
      'next expect {"expectations":[{"expect":"match","match":{"kind":"Namespace","metadata":{"name":"n"}}}]}',
    ]);
  });

  it('deletes what the other release does not have, unless that is kept', () => {
    const kept = { kind: 'ConfigMap', metadata: { name: 'k', annotations: { 'helm.sh/resource-policy': 'keep' } } };
    const only = (name: string) => ({ kind: 'Secret', metadata: { name, namespace: 'shop' } });
    const plan = planOf(
      [kept, only('a'), { kind: 'ConfigMap', metadata: { name: 'z' } }],
      [only('b'), { kind: 'ClusterRole', metadata: { name: 'r' } }],
      { drain: [] },
    );
    expect(stepsOf(plan)).toEqual([
      '0m apply Secret/a ConfigMap/k ConfigMap/z',
      '15m apply Secret/b ClusterRole/r',
      'next delete ConfigMap/default/z',
      'next delete Secret/shop/a',
      '30m apply Secret/a ConfigMap/k ConfigMap/z',
      'next delete ClusterRole/r',
      'next delete Secret/shop/b',
      'next expect {"expectations":[{"expect":"match","match":{"kind":"ConfigMap","metadata":{"name":"k","namespace":"default"}}},{"expect":"match","match":{"kind":"ConfigMap","metadata":{"name":"z","namespace":"default"}}},{"expect":"absent","target":{"kind":"ClusterRole","name":"r"}},{"expect":"absent","target":{"kind":"Secret","name":"b","namespace":"shop"}}]}',
    ]);
    expect(plan.scenario.namespaces).toEqual([{ name: 'shop' }]);
  });

  it('drains all nodes, and waits for each kind that there is', () => {
    const all = ['StatefulSet', 'DaemonSet', 'Job'].map((kind) => ({ ...deployment(kind.toLowerCase(), {}), kind }));
    const plan = planOf(all, all, { drain: 'all', nodes: 4 });
    expect(plan.phases.map(({ name }) => name)).toEqual([
      'install',
      'roll',
      'drain node-0',
      'drain node-1',
      'drain node-2',
      'drain node-3',
      'roll back',
    ]);
    expect(stepsOf(plan)).toEqual([
      '0m apply DaemonSet/daemonset StatefulSet/statefulset Job/job',
      'next waitFor StatefulSet 840000',
      'next waitFor DaemonSet 840000',
      'next waitFor Job 840000',
      '15m apply DaemonSet/daemonset StatefulSet/statefulset Job/job',
      'next waitFor StatefulSet 840000',
      'next waitFor DaemonSet 840000',
      'next waitFor Job 840000',
      '30m drain Node/node-0',
      'next waitFor StatefulSet 240000',
      'next waitFor DaemonSet 240000',
      'next waitFor Job 240000',
      'next uncordon Node/node-0',
      '45m drain Node/node-1',
      'next waitFor StatefulSet 240000',
      'next waitFor DaemonSet 240000',
      'next waitFor Job 240000',
      'next uncordon Node/node-1',
      '60m drain Node/node-2',
      'next waitFor StatefulSet 240000',
      'next waitFor DaemonSet 240000',
      'next waitFor Job 240000',
      'next uncordon Node/node-2',
      '75m drain Node/node-3',
      'next waitFor StatefulSet 240000',
      'next waitFor DaemonSet 240000',
      'next waitFor Job 240000',
      'next uncordon Node/node-3',
      '90m apply DaemonSet/daemonset StatefulSet/statefulset Job/job',
      'next waitFor StatefulSet 840000',
      'next waitFor DaemonSet 840000',
      'next waitFor Job 840000',
      'next expect {"expectations":[{"expect":"match","match":{"kind":"DaemonSet","metadata":{"name":"daemonset","namespace":"default"},"spec":{"template":{"spec":{"containers":[{"name":"c","image":"i:1"}]}}}}},{"expect":"match","match":{"kind":"StatefulSet","metadata":{"name":"statefulset","namespace":"default"},"spec":{"template":{"spec":{"containers":[{"name":"c","image":"i:1"}]}}}}},{"expect":"match","match":{"kind":"Job","metadata":{"name":"job","namespace":"default"},"spec":{"template":{"spec":{"containers":[{"name":"c","image":"i:1"}]}}}}}]}',
    ]);
  });

  it('waits for each kind until it is rolled out', () => {
    const kinds = ['Deployment', 'StatefulSet', 'DaemonSet', 'Job'].map((kind) => ({ ...deployment('x', {}), kind }));
    const waits = planOf(kinds, []).scenario.steps.flatMap((step) => (step.verb === 'waitFor' ? [step.expectation] : []));
    expect(waits.slice(0, 4).map((each) => ('expression' in each && 'cel' in each.expression ? each.expression.cel : each))).toEqual([
      "objects('Deployment').all(o, o.status.observedGeneration == o.metadata.generation && o.status.updatedReplicas == o.spec.replicas && o.status.replicas == o.spec.replicas && o.status.availableReplicas == o.spec.replicas)",
      "objects('StatefulSet').all(o, o.status.observedGeneration == o.metadata.generation && o.status.availableReplicas == o.spec.replicas && (o.spec.updateStrategy.type == 'OnDelete' || o.spec.updateStrategy.rollingUpdate.partition > 0 || o.status.updatedReplicas == o.spec.replicas))",
      "objects('DaemonSet').all(o, o.status.observedGeneration == o.metadata.generation && o.status.numberAvailable == o.status.desiredNumberScheduled && (o.spec.updateStrategy.type == 'OnDelete' || o.status.updatedNumberScheduled == o.status.desiredNumberScheduled))",
      "objects('Job').all(o, has(o.metadata.ownerReferences) || o.spec.suspend || o.status.conditions.exists(c, c.type == 'Complete' && c.status == 'True'))",
    ]);
  });

  it('of nothing has nothing to do', () => {
    const { steps, invariants, untilMs } = planOf([], [], { invariants: ['a/*'] }).scenario;
    expect([steps, invariants, untilMs]).toEqual([
      [
        { timing: { when: 'at', atMs: 0 }, verb: 'apply', objects: [] },
        { timing: { when: 'at', atMs: 900000 }, verb: 'apply', objects: [] },
        { timing: { when: 'at', atMs: 1800000 }, verb: 'apply', objects: [] },
        { timing: { when: 'next' }, verb: 'note' },
      ],
      ['a/*'],
      2700000,
    ]);
  });
});

describe('behaviors', () => {
  it('wait as long as probes do', () => {
    const probe = (seconds: number) => ({ readinessProbe: { initialDelaySeconds: seconds } });
    const slow = (name: string, ...seconds: readonly number[]) => ({
      ...deployment(name, {}),
      spec: {
        selector: { matchLabels: { app: name } },
        template: { spec: { containers: seconds.map((each) => ({ name: 'c', image: 'i', ...probe(each) })) } },
      },
    });
    const unlabelled = { ...slow('x', 9), spec: { template: { spec: { containers: [{ name: 'c', ...probe(9) }] } } } };
    expect(planOf([slow('a', 5, 20), slow('b', 0), unlabelled], [slow('a', 7)], { drain: [] }).scenario.cluster.podBehaviors).toEqual([
      { selector: { matchExpressions: [{ key: 'job-name', operator: 'Exists' }] }, startDelayMs: 1000, runForMs: 10000 },
      { selector: { matchLabels: { app: 'a' } }, startDelayMs: 2000, readyDelayMs: 8000, terminationDelayMs: 1000 },
      { startDelayMs: 2000, readyDelayMs: 3000, terminationDelayMs: 1000 },
    ]);
  });
});
