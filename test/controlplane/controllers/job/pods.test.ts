import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jobPods } from '../../../../src/controlplane/controllers/job/pods.ts';
import { unmanagedPods } from '../../../../src/controlplane/shared/index.ts';
import { createCache, recount, type AnyAggregate } from '../../../../src/controlplane/runtime/index.ts';
import type { ApiObject } from '../../../../src/apiserver/machinery/index.ts';
import type { Pod } from '../../../../src/apiserver/kinds/index.ts';
import { jobOf, podOf } from '../../../support/objects.ts';

const owner = jobOf('a');
const aggregates = [jobPods, unmanagedPods] as unknown as readonly AnyAggregate[];

/** A pod in any of the states that a Job may observe. */
const state = fc.record({
  gone: fc.boolean(),
  phase: fc.constantFrom('Pending', 'Running', 'Succeeded', 'Failed', 'Unknown'),
  ready: fc.boolean(),
  restarts: fc.nat(3),
  dying: fc.boolean(),
  held: fc.boolean(),
  index: fc.option(fc.nat(4), { nil: undefined }),
  managed: fc.boolean(),
  labels: fc.constantFrom({ app: 'x' }, { app: 'x', more: 'y' }, undefined),
  uid: fc.nat(1),
});
type State = typeof state extends fc.Arbitrary<infer S> ? S : never;

const podIn = (name: string, { phase, ready, restarts, dying, held, index, managed, labels, uid }: State): Pod =>
  podOf(owner, name, phase, {
    meta: {
      uid: `${name}-${uid}`,
      labels,
      ...(managed ? {} : { ownerReferences: undefined }),
      ...(dying ? { deletionTimestamp: '2024-01-01T00:00:00Z' } : {}),
      ...(held ? { finalizers: ['batch.orch.io/job-tracking'] } : {}),
      ...(index === undefined ? {} : { annotations: { 'batch.orch.io/job-completion-index': String(index) } }),
    },
    status: { conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }], containerStatuses: [{ restartCount: restarts }] },
  });

/** Distinct numbers below a bound, as intervals. */
function intervalsOf(numbers: readonly number[], below: number) {
  const intervals: { first: number; last: number }[] = [];
  for (let at = 0; at < below; at++) {
    const last = intervals.at(-1);
    if (!numbers.includes(at)) continue;
    if (last?.last === at - 1) last.last = at;
    else intervals.push({ first: at, last: at });
  }
  return intervals;
}

describe("the aggregate of a Job's pods", () => {
  it('knows the indexes of its active pods below any number of completions', () => {
    const indexes = fc.array(fc.tuple(fc.constantFrom('p0', 'p1', 'p2', 'p3', 'p4'), fc.option(fc.nat(4)), fc.boolean()), {
      maxLength: 20,
    });
    fc.assert(
      fc.property(indexes, (changes) => {
        const cache = createCache();
        cache.open('Pod');
        for (const aggregate of aggregates) cache.addAggregate(aggregate);
        const there = new Map<string, number | undefined>();
        for (const [name, index, gone] of changes) {
          if (gone) there.delete(name);
          else there.set(name, index ?? undefined);
          const annotations = index === null ? {} : { 'batch.orch.io/job-completion-index': String(index) };
          cache.set('Pod', `default/${name}`, gone ? undefined : podOf(owner, name, 'Running', { meta: { annotations } }));
          const { activeIndexes } = cache.aggregate(jobPods, owner.metadata.uid);
          const known = [...there.values()].filter((one) => one !== undefined);
          for (let below = 0; below <= 5; below++)
            expect([activeIndexes.podsBelow(below), activeIndexes.intervalsBelow(below), activeIndexes.isClean(below)]).toEqual([
              known.filter((one) => one < below).length,
              intervalsOf(known, below),
              known.length === there.size && new Set(known).size === known.length && known.every((one) => one < below),
            ]);
        }
      }),
      { numRuns: 100, seed: 1 },
    );
  });

  it('equals a recount after any changes', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom('p0', 'p1', 'p2', 'p3'), state), { maxLength: 30 }), (changes) => {
        const cache = createCache();
        cache.open('Pod');
        for (const aggregate of aggregates) cache.addAggregate(aggregate);
        for (const [name, as] of changes) {
          cache.set('Pod', `default/${name}`, as.gone ? undefined : podIn(name, as));
          const pods = cache.list('Pod') as unknown as readonly ApiObject[];
          expect(jobPods.plain(cache.aggregate(jobPods, owner.metadata.uid))).toEqual(
            recount(aggregates[0] as AnyAggregate, pods, owner.metadata.uid),
          );
          expect(unmanagedPods.plain(cache.aggregate(unmanagedPods, 'default'))).toEqual(
            recount(aggregates[1] as AnyAggregate, pods, 'default'),
          );
        }
      }),
      { numRuns: 200 },
    );
  });
});
