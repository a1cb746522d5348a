/** Expectations: whether a controller's cache shows its own writes. */
import { expect, it } from 'vitest';
import { createCluster } from '../../../src/controlplane/cluster.ts';
import { defineController } from '../../../src/controlplane/runtime/index.ts';

const START = Date.UTC(2024, 2, 1);
const HOLD = 'example.org/hold';

it('expectations include the deletion by a patch of the last finalizer', () => {
  const seen: string[] = [];
  const releaser = defineController<'ConfigMap'>({
    name: 'releaser',
    reconciles: 'ConfigMap',
    writes: ['ConfigMap'],
    models: 'nothing',
    reconcile({
      self: {
        metadata: { name, namespace = '', finalizers, deletionTimestamp },
      },
      expectationsSatisfied,
      now,
    }) {
      if (name !== 'held' || deletionTimestamp === undefined) return { why: 'it stays', writes: [] };
      seen.push(`${finalizers?.join() ?? 'free'} ${expectationsSatisfied}`);
      if (!expectationsSatisfied) return { why: 'its own write does not show yet', writes: [], wakeAt: now + 20 };
      return {
        why: 'it is let go',
        writes: [
          {
            op: 'patch',
            kind: 'ConfigMap',
            namespace,
            name,
            patchType: 'merge',
            patch: { metadata: { finalizers: null } },
            awaited: true,
            tolerate: ['NotFound'],
          },
        ],
        wakeAt: now + 20,
      };
    },
    reconcileAbsent: ({ expectationsSatisfied }) => {
      seen.push(`gone ${expectationsSatisfied}`);
      return { why: 'it is gone', writes: [] };
    },
  });
  const cluster = createCluster({ startAt: START, latency: { api: 0, watch: 50 }, controllers: () => [releaser] });
  const where = { kind: 'ConfigMap', namespace: 'default' } as const;
  cluster.request('user', {
    verb: 'create',
    ...where,
    body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'held', finalizers: [HOLD] } },
  });
  cluster.request('user', { verb: 'delete', ...where, name: 'held' });
  cluster.runUntilSettled(START + 10_000);
  expect(cluster.store.get('ConfigMap', 'default/held')).toBeUndefined();
  // Written once: the controller never takes its outdated cache for the present state.
  expect(seen).toEqual([`${HOLD} true`, `${HOLD} false`, `${HOLD} false`, 'gone true']);
});

/** Returns what each decision of a controller reads that counts in an object: its cached number, and whether expectations are satisfied. */
function seenByCounter(marks: { readonly awaited?: true }): readonly string[] {
  const seen: string[] = [];
  const counter = defineController<'ConfigMap'>({
    name: 'counter',
    reconciles: 'ConfigMap',
    writes: ['ConfigMap'],
    models: 'nothing',
    reconcile({ self, expectationsSatisfied, now }) {
      if (self.metadata.name !== 'a') return { why: 'it stays', writes: [] };
      const times = Number(self.data?.['times'] ?? 0);
      seen.push(`${times} ${expectationsSatisfied}`);
      if (!expectationsSatisfied || times === 2) return { why: 'it waits', writes: [], ...(times === 2 ? {} : { wakeAt: now + 20 }) };
      return {
        why: 'once more',
        writes: [{ op: 'update', object: { ...self, data: { times: String(times + 1) } }, ...marks }],
        wakeAt: now + 20,
      };
    },
  });
  const cluster = createCluster({ startAt: START, latency: { api: 0, watch: 50 }, controllers: () => [counter] });
  cluster.request('user', {
    verb: 'create',
    kind: 'ConfigMap',
    namespace: 'default',
    body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } },
  });
  cluster.runUntilSettled(START + 10_000);
  return seen;
}

it('expectations include an update marked as awaited', () => {
  // Without expectations its second decision would overwrite its last write, and be refused.
  expect(seenByCounter({ awaited: true })).toEqual(['0 true', '0 false', '0 false', '1 true', '1 false', '1 false', '2 true']);
});

it('expectations do not include an update without that mark: the controller decides on its outdated cache', () => {
  const seen = seenByCounter({});
  expect(seen.slice(0, 2)).toEqual(['0 true', '0 true']);
  expect(seen.filter((each) => each.endsWith('false'))).toEqual([]);
});
