/** Pods with init containers, as their agent reports them. */
import { describe, expect, it } from 'vitest';
import { createCluster } from '../../../../src/controlplane/cluster.ts';
import type { Pod } from '../../../../src/apiserver/kinds/index.ts';

/** The states in which a pod was observed, in order. */
function statesOf(annotations: Readonly<Record<string, string>>, runMs: number): readonly Pod['status'][] {
  const cluster = createCluster({ seed: 1, nodes: [{ name: 'node-0', capacity: { cpu: '4', pods: '110' } }] });
  const seen: Pod['status'][] = [];
  cluster.store.onChange(({ key, object }) => {
    if (object?.kind === 'Pod' && key === 'default/p') seen.push((object as Pod).status);
  });
  const container = (name: string) => ({ name, image: `${name}:1` });
  const body = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p', namespace: 'default', annotations },
    spec: { restartPolicy: 'Always', initContainers: [container('fetch'), container('check')], containers: [container('serve')] },
  };
  expect(
    cluster.request('user', {
      verb: 'create',
      kind: 'Pod',
      namespace: 'default',
      body,
      user: { name: 'user', groups: ['system:masters'] },
    }),
  ).toMatchObject({ ok: true });
  cluster.runUntil(cluster.startAt + runMs);
  return seen;
}
const conditionOf = ({ conditions = [] }: Pod['status'], type: string) => conditions.find((condition) => condition.type === type);

describe('a pod with init containers', () => {
  const states = statesOf({ 'sim.orch.io/start-delay': '2', 'sim.orch.io/exit-after': '3' }, 20_000);
  const waiting = states.find(({ containerStatuses }) => containerStatuses?.[0]?.state.waiting !== undefined);
  const running = states.find(({ phase }) => phase === 'Running');

  it('waits for them, and its own containers for the pod', () => {
    expect(waiting).toMatchObject({
      phase: 'Pending',
      initContainerStatuses: [
        { name: 'fetch', ready: false, state: { waiting: { reason: 'PodInitializing' } } },
        { name: 'check', ready: false },
      ],
      containerStatuses: [{ state: { waiting: { reason: 'PodInitializing' } } }],
    });
    expect(waiting === undefined ? undefined : conditionOf(waiting, 'Initialized')).toMatchObject({
      status: 'False',
      reason: 'ContainersNotInitialized',
      message: 'containers with incomplete status: [fetch check]',
    });
  });

  it('runs when they have ended', () => {
    expect(running).toMatchObject({
      initContainerStatuses: [
        { name: 'fetch', image: 'fetch:1', ready: true, restartCount: 0, state: { terminated: { exitCode: 0, reason: 'Completed' } } },
        { name: 'check', ready: true },
      ],
    });
    expect(running === undefined ? undefined : conditionOf(running, 'Initialized')).toMatchObject({ status: 'True' });
  });

  it('does not run them again when its own containers restart', () => {
    const last = states.at(-1);
    expect(last?.containerStatuses?.[0]?.restartCount).toBeGreaterThan(0);
    expect(last?.initContainerStatuses).toEqual(running?.initContainerStatuses);
  });
});
