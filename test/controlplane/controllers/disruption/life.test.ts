/** The life of a budget: its status follows pods and evictions. */
import { expect, it } from 'vitest';
import { kindsFor } from '../../../../src/apiserver/kinds/index.ts';
import { namesFor } from '../../../../src/apiserver/machinery/index.ts';
import { disruption } from '../../../../src/controlplane/controllers/disruption/controller.ts';
import { living } from '../lives.ts';

it('a budget allows what its pods allow, and less after an eviction', () => {
  const { cluster, make, drop, pass, writes } = living([disruption(kindsFor(namesFor('k8s.io')))], {
    nodes: [{ name: 'n', capacity: { cpu: '4', memory: '8Gi', pods: '9' } }],
  });
  const status = (): unknown => {
    const { disruptionsAllowed, currentHealthy, desiredHealthy, expectedPods, disruptedPods } =
      cluster.store.get('PodDisruptionBudget', 'default/b')?.status ?? {};
    return [disruptionsAllowed, currentHealthy, desiredHealthy, expectedPods, Object.keys(disruptedPods ?? {})];
  };
  const spec = { selector: { matchLabels: { app: 'a' } }, minAvailable: 1 };
  make('PodDisruptionBudget', 'b', { apiVersion: 'policy/v1', spec }, 'default');
  pass(1_000);
  expect([status(), writes()]).toEqual([
    [0, 0, 1, 0, []],
    ['0 controllermanager: NoPods', '0 disruption: update PodDisruptionBudget/status default/b', '0 controllermanager: NoPods'],
  ]);
  const pod = (name: string) =>
    make(
      'Pod',
      name,
      { metadata: { labels: { app: 'a' } }, spec: { nodeName: 'n', containers: [{ name: 'c', image: 'sim:1' }] } },
      'default',
    );
  for (const name of ['p', 'q']) pod(name);
  pass(10_000);
  expect(status()).toEqual([1, 2, 1, 2, []]);
  const evicted = cluster.request('user', {
    verb: 'create',
    kind: 'Pod',
    name: 'p',
    namespace: 'default',
    subresource: 'eviction',
    body: { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'p', namespace: 'default' } },
  });
  expect([evicted.ok, status()]).toEqual([true, [0, 2, 1, 2, ['p']]]);
  pass(60_000);
  expect(status()).toEqual([0, 1, 1, 1, []]);
  writes();
  drop('Pod', 'q', 'default');
  pass(60_000);
  expect([status(), writes()]).toEqual([
    [0, 0, 1, 0, []],
    [
      '71000 disruption: update PodDisruptionBudget/status default/b',
      '71000 controllermanager: NoPods',
      '71000 disruption: update PodDisruptionBudget/status default/b',
      '71000 controllermanager: NoPods',
    ],
  ]);
});
