/** Whether a controller's cache shows what it wrote itself (upstream: expectations). */
import { expect, it } from 'vitest';
import { createCluster } from '../../../src/cluster/cluster.ts';
import { defineController } from '../../../src/cluster/runtime/index.ts';

const START = Date.UTC(2024, 2, 1);
const HOLD = 'example.org/hold';

it('waits for the deletion that its patch of the last finalizer brought about', () => {
  const seen: string[] = [];
  const releaser = defineController<'ConfigMap'>({
    name: 'releaser', reconciles: 'ConfigMap', writes: ['ConfigMap'], models: 'nothing',
    reconcile({ self: { metadata: { name, namespace = '', finalizers, deletionTimestamp } }, seesOwnWrites, now }) {
      if (name !== 'held' || deletionTimestamp === undefined) return { why: 'it stays', writes: [] };
      seen.push(`${finalizers?.join() ?? 'free'} ${seesOwnWrites}`);
      if (!seesOwnWrites) return { why: 'its own write does not show yet', writes: [], wakeAt: now + 20 };
      return { why: 'it is let go', writes: [{ op: 'patch', kind: 'ConfigMap', namespace, name, patchType: 'merge', patch: { metadata: { finalizers: null } }, awaited: true, tolerate: ['NotFound'] }], wakeAt: now + 20 };
    },
    reconcileAbsent: ({ seesOwnWrites }) => { seen.push(`gone ${seesOwnWrites}`); return { why: 'it is gone', writes: [] }; },
  });
  const cluster = createCluster({ startAt: START, latency: { api: 0, watch: 50 }, controllers: () => [releaser] });
  const where = { kind: 'ConfigMap', namespace: 'default' } as const;
  cluster.request('operator', { verb: 'create', ...where, body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'held', finalizers: [HOLD] } } });
  cluster.request('operator', { verb: 'delete', ...where, name: 'held' });
  cluster.runUntilSettled(START + 10_000);
  expect(cluster.store.get('ConfigMap', 'default/held')).toBeUndefined();
  // Written once: at no time does it take what it still sees for what there is.
  expect(seen).toEqual([`${HOLD} true`, `${HOLD} false`, `${HOLD} false`, 'gone true']);
});
