/**
 * Random scenarios around ownership: objects that own each other in layers, owners that never existed, cluster-scoped owners, all three
 * propagation policies, finalizers, namespace deletion.
 */
import fc from 'fast-check';
import type { Manifest, Scenario, Step, TargetRef } from '../scenario/index.ts';
import { scenariosOf, type ScenarioSize } from './generator.ts';
import { present } from '../../schema/values/index.ts';
import { deleting, expecting, later, MINUTE, patching, writing } from './steps.ts';
import { faultsOf, mended } from './troubles.ts';

const KINDS = ['ConfigMap', 'Secret', 'ServiceAccount'];
/** `a` has no owner; an object is owned only by earlier letters, so that there are no cycles. */
const NAMES = ['a', 'b', 'c', 'd', 'e'];
const HOLD = 'people.example/hold';

/** After a longer partition the garbage collector's back-off takes minutes. */
const LONGEST_CUT_MS = 12_000;

interface Place {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}
const places = (names: readonly string[]): fc.Arbitrary<Place> =>
  fc.record({
    kind: fc.constantFrom(...KINDS),
    namespace: fc.constantFrom('default', 'default', 'default', 'team'),
    name: fc.constantFrom(...names),
  });

interface Reference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid?: string;
  readonly blockOwnerDeletion?: boolean;
}
const blocking = (reference: fc.Arbitrary<Reference>): fc.Arbitrary<Reference> =>
  fc.tuple(reference, fc.boolean()).map(([one, blockOwnerDeletion]) => (blockOwnerDeletion ? { ...one, blockOwnerDeletion } : one));
/** No object has such a uid, even if one has the name. */
const strangers = blocking(
  fc.oneof(
    fc
      .tuple(fc.constantFrom(...KINDS), fc.constantFrom(...NAMES))
      .map(([kind, name]) => ({ apiVersion: 'v1', kind, name, uid: `nobody-${name}` })),
    fc.constant({ apiVersion: 'v1', kind: 'Node', name: 'node-0' }),
  ),
);

const objectAt = ({ kind, namespace, name }: Place, owners: readonly Reference[], held: boolean): Manifest => ({
  apiVersion: 'v1',
  kind,
  metadata: { name, namespace, ...(owners.length === 0 ? {} : { ownerReferences: owners }), ...(held ? { finalizers: [HOLD] } : {}) },
});
const seldom = fc.constantFrom(false, false, false, true);

/** The initial objects: each may be owned by earlier ones in its namespace, whose uids are filled in at its creation. */
const layers: fc.Arbitrary<readonly Manifest[]> = fc
  .uniqueArray(
    fc.record({
      place: places(NAMES),
      choices: fc.array(fc.tuple(fc.nat(9), fc.boolean()), { maxLength: 2 }),
      stranger: fc.option(strangers, { freq: 6 }),
      held: seldom,
    }),
    { minLength: 1, maxLength: 9, size: 'max', selector: ({ place }) => JSON.stringify(place) },
  )
  .map((drawn) =>
    drawn.map(({ place, choices, stranger, held }, index) => {
      const before = drawn.slice(0, index).filter((other) => other.place.namespace === place.namespace);
      const chosen = choices.flatMap(([at, blockOwnerDeletion]): readonly Reference[] => {
        const { place: of } = before[at] ?? {};
        return of === undefined ? [] : [{ apiVersion: 'v1', kind: of.kind, name: of.name, blockOwnerDeletion }];
      });
      const owners = [...chosen, ...(stranger === null ? [] : [stranger])].filter(
        (one, i, all) => all.findIndex(({ kind, name }) => kind === one.kind && name === one.name) === i,
      );
      return objectAt(place, owners, held);
    }),
  );
/** Later objects have no owner, or an owner whose uid never existed. */
const laterOnes: fc.Arbitrary<Manifest> = fc
  .tuple(places(NAMES), fc.array(strangers, { maxLength: 1 }), seldom)
  .map(([place, owners, held]) => objectAt(place, owners, held));

const policies = fc.constantFrom('Background', 'Foreground', 'Orphan', undefined);
const somewhere = places(NAMES);
const operations: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: laterOnes.map((object) => later(0, writing('apply', object))) },
  {
    weight: 4,
    arbitrary: fc.tuple(somewhere, policies).map(([place, propagationPolicy]) => deleting(place, present({ propagationPolicy }))),
  },
  somewhere.map((place) => patching(place, { metadata: { ownerReferences: null } })),
  somewhere.map((place) => patching(place, { metadata: { finalizers: null } })),
  fc.constant(deleting({ kind: 'Namespace', name: 'team' })),
);

/** Removes creations in a namespace that is being deleted. */
function possible(steps: readonly Step[]): readonly Step[] {
  const going = steps.findIndex((step) => step.verb === 'delete' && step.target.kind === 'Namespace');
  return going < 0
    ? steps
    : steps.filter(
        (step, index) =>
          index < going || step.verb !== 'apply' || step.objects.every(({ object }) => object.metadata?.['namespace'] !== 'team'),
      );
}

const targets = (cel: string): readonly TargetRef[] => KINDS.map((kind) => ({ kind, namespace: '*', cel: { cel } }));
/** Every owner that an object names exists, and no object is being deleted. */
const quiescence: readonly string[] = [
  `[${KINDS.map((kind) => `'${kind}'`).join(', ')}].all(k, objects(k).all(o, o.metadata.?ownerReferences.orValue([]).all(r, r.kind == 'Node' ? objects('Node').exists(n, n.metadata.uid == r.uid) : objects(r.kind, o.metadata.namespace).exists(w, w.metadata.uid == r.uid))))`,
  `[${KINDS.map((kind) => `'${kind}'`).join(', ')}, 'Namespace'].all(k, objects(k).all(o, !has(o.metadata.deletionTimestamp)))`,
  "objects('Namespace').all(n, n.status.phase == 'Active')",
  `[${KINDS.map((kind) => `'${kind}'`).join(', ')}].all(k, objects(k).all(o, objects('Namespace').exists(n, n.metadata.name == o.metadata.namespace)))`,
];

/** Returns scenarios that end without faults: no foreign finalizer blocks a deletion, and all objects have the owners that they name. */
export const ownershipScenarios = ({ maxSteps = 10 }: ScenarioSize = {}): fc.Arbitrary<Scenario> =>
  scenariosOf({
    nodes: ['node-0'],
    setup: layers,
    steps: fc.oneof(
      { weight: 5, arbitrary: operations },
      { weight: 1, arbitrary: faultsOf(['controller-manager'], { longestCutMs: LONGEST_CUT_MS }) },
    ),
    maxSteps,
    make: (objects, steps) => ({
      namespaces: [{ name: 'team' }],
      steps: [
        ...objects.map((object) => writing('apply', object)),
        ...possible(steps),
        ...mended(MINUTE, ['controller-manager']),
        ...targets(`self.metadata.?finalizers.orValue([]).exists(f, f == '${HOLD}')`).map((target) =>
          patching(target, { metadata: { finalizers: null } }),
        ),
        later(20 * MINUTE, expecting(...quiescence)),
      ],
    }),
  });
