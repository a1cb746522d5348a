import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ApiObject } from '../../../src/apiserver/machinery/index.ts';
import { createSetPodsIndex, type OrdinalState } from '../../../src/lab/invariants/stateful-set/pods.ts';

const GRACE_MS = 30_000;

const pod = (ordinal: number, ready: boolean, dying: boolean): ApiObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name: `web-${ordinal}`,
    namespace: 'default',
    uid: `${ordinal}`,
    resourceVersion: '1',
    creationTimestamp: '2024-01-01T00:00:00Z',
    ownerReferences: [{ apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'web', uid: 'set', controller: true }],
    ...(dying ? { deletionTimestamp: '2024-01-01T00:00:00Z' } : {}),
  },
  status: { phase: 'Running', conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }] },
});

describe('the pods of a set by ordinal', () => {
  it('agree with an evaluation of every ordinal', () => {
    const step = fc.record({
      ordinal: fc.nat({ max: 6 }),
      type: fc.constantFrom('write' as const, 'delete' as const),
      ready: fc.boolean(),
      dying: fc.boolean(),
      byController: fc.boolean(),
      waitMs: fc.constantFrom(0, 1, 10_000, GRACE_MS, GRACE_MS + 1),
    });
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 30 }), (steps) => {
        const setPodsIndex = createSetPodsIndex();
        const pods = new Map<number, ApiObject>();
        let now = 0;
        for (const { ordinal, type, ready, dying, byController, waitMs } of steps) {
          now += waitMs;
          const previous = pods.get(ordinal);
          if (type === 'delete' && previous === undefined) continue;
          const object = pod(ordinal, ready, dying);
          if (type === 'delete') pods.delete(ordinal);
          else pods.set(ordinal, object);
          setPodsIndex.observe(
            {
              type: type === 'delete' ? 'DELETED' : previous === undefined ? 'ADDED' : 'MODIFIED',
              kind: 'Pod',
              key: `default/web-${ordinal}`,
              object,
              at: now,
              revision: 1,
              entry: 1,
              ...(previous === undefined ? {} : { previous }),
            },
            byController ? 'stateful-set' : undefined,
          );
          const setPods = setPodsIndex.of('set');
          if (setPods === undefined) throw new Error('no pod was observed');
          for (const at of [now, now + GRACE_MS, now + GRACE_MS + 1]) {
            // Time never decreases.
            now = at;
            const ordinals = Array.from({ length: 8 }, (_, one) => setPods.ordinals.get(one));
            const wasLately = (state: OrdinalState | undefined): boolean =>
              state?.lastWellAt !== undefined && at - state.lastWellAt <= GRACE_MS;
            const lately = ordinals.map((state) => state?.well === true || wasLately(state));
            const notTaken = ordinals.map((state) => state?.well === true || (wasLately(state) && state?.taken === false));
            const known = ordinals.map((state) => state?.present === true && at - state.createdAt > GRACE_MS);
            expect(setPods.lately(at).nextAbsent(0)).toBe(lately.indexOf(false));
            expect(setPods.notTaken(at).countBelow(5)).toBe(notTaken.slice(0, 5).filter(Boolean).length);
            const from = known.indexOf(true, 2);
            expect(setPods.known(at).next(2)).toBe(from < 0 ? undefined : from);
          }
        }
      }),
      { seed: 5, numRuns: 300 },
    );
  });
});
