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

describe("the aggregate of a Job's pods", () => {
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
