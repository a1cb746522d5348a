import fc from 'fast-check';
import { expect, it } from 'vitest';
import { keyOf, type ApiObject } from '../../../../src/apiserver/machinery/index.ts';
import { createCache, recount, type AnyAggregate } from '../../../../src/controlplane/runtime/index.ts';
import { setClaims } from '../../../../src/controlplane/controllers/stateful-set/identity.ts';
import { orphanPods, setPods } from '../../../../src/controlplane/controllers/stateful-set/pods.ts';
import { claimOf, dying, setOf, setPod } from '../../../support/sets.ts';

const set = setOf('web');
const OWNERS = [
  undefined,
  [{ apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'web', uid: 'uid-web', controller: true }],
  [{ apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'web', uid: 'other', controller: true }],
];
const anyPod = fc
  .record({
    ordinal: fc.nat(5),
    uid: fc.nat(2),
    owner: fc.nat(2),
    revision: fc.constantFrom('r1', 'r2', ''),
    dies: fc.boolean(),
    ready: fc.boolean(),
    phase: fc.constantFrom('Pending', 'Running', 'Failed'),
    label: fc.constantFrom('web', 'else'),
    readyAt: fc.constantFrom('2024-01-01T00:00:00Z', '2024-01-01T00:00:07Z', null),
    stray: fc.boolean(),
  })
  .map(({ ordinal, uid, owner, revision, dies, ready, phase, label, readyAt, stray }) =>
    setPod(set, ordinal, {
      meta: {
        ...(stray ? { name: 'stray' } : {}),
        uid: `${ordinal}/${uid}`,
        ownerReferences: OWNERS[owner],
        labels: { app: label, 'controller-revision-hash': revision },
        ...(dies ? dying : {}),
      },
      spec: ready ? { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: `data-web-${ordinal}` } }] } : {},
      status: { phase, conditions: [{ type: 'Ready', status: ready ? 'True' : 'False', lastTransitionTime: readyAt }] },
    }),
  );
const anyClaim = fc
  .record({
    ordinal: fc.nat(4),
    owners: fc.subarray([
      { kind: 'StatefulSet', uid: 'uid-web' },
      { kind: 'Pod', uid: 'uid-web-0' },
      { kind: 'StatefulSet', uid: 'other' },
    ]),
  })
  .map(({ ordinal, owners }) => claimOf(set, 'data', ordinal, { ownerReferences: owners }));
const change = fc.tuple(fc.boolean(), fc.oneof(anyPod as fc.Arbitrary<ApiObject>, anyClaim as fc.Arbitrary<ApiObject>));

it('aggregates of pods and claims equal a recount after any changes', () => {
  const aggregates = [setPods, orphanPods, setClaims] as unknown as readonly AnyAggregate[];
  fc.assert(
    fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
      const cache = createCache();
      cache.open('Pod');
      cache.open('PersistentVolumeClaim');
      for (const aggregate of aggregates) cache.addAggregate(aggregate);
      for (const [stays, object] of changes) cache.set(object.kind, keyOf(object), stays ? object : undefined);
      const objects = ['Pod', 'PersistentVolumeClaim'].flatMap((kind) => cache.list(kind));
      for (const [aggregate, group] of [
        [setPods, 'uid-web'],
        [setPods, 'other'],
        [orphanPods, 'default/web'],
        [setClaims, 'default/data-web'],
      ] as unknown as readonly (readonly [typeof setPods, string])[]) {
        expect(aggregate.plain(cache.aggregate(aggregate, group))).toEqual(recount(aggregate as unknown as AnyAggregate, objects, group));
      }
    }),
    { seed: 24, numRuns: 300 },
  );
});
