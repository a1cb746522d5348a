/** A pod that was given away, and is deleted by who had it. */
import { create, defineController, idle, remove, write } from '../../../../../src/index.ts';
import { custom, onDeletion, ownedBy, range, resources, specOf, stillThere, watchOwned } from '../kit.ts';
import { defineBug } from '../model.ts';

export const deletedOrphan = defineBug({
  name: 'replica-set-138818',
  source: 'kubernetes/kubernetes#138818',
  facts: 'A pod is orphaned, and its former set, which has not seen that, deletes it as surplus.',
  pattern: 'stale read',
  kinds: resources('Replica', 'Unit'),
  invariants: [
    onDeletion('orphans-stay', 'Unit', 'it had no owner any more', ({ metadata }) => (metadata.ownerReferences ?? []).length > 0),
  ],
  story: {
    steps: `
    - at: 1s
      apply: { apiVersion: example.com/v1, kind: Replica, metadata: { name: rs }, spec: { size: 2 } }
    - waitFor: { cel: "objects('Unit').size() == 2" }
    - after: 3s
      patch: { target: Unit/rs-1, type: merge, patch: { metadata: { ownerReferences: [] } } }
    - after: 3s
      patch: { target: Replica/rs, type: merge, patch: { spec: { size: 1 } } }
    - after: 10s
      expect: { cel: "objects('Unit').size() == 2" }
`,
  },
  breaks: [/^orphans-stay$/],
  controllers: (mended) => [
    defineController({
      name: 'replica',
      reconciles: 'Replica',
      writes: ['Unit'],
      watches: [watchOwned('Unit', 'Replica')],
      reconcile({ self, cache, expectationsSatisfied }) {
        if (!expectationsSatisfied) return idle('it waits to see its own writes');
        const { size = 0 } = specOf<{ size: number }>(self);
        const { name } = self.metadata;
        const units = cache.controlledBy('Unit', self);
        const surplus = units.slice(size);
        if (surplus.length > 0)
          return write(
            'there are units too many',
            ...surplus.map((each) => remove(each, mended ? { resourceVersion: each.metadata.resourceVersion } : {})),
          );
        const missing = range(size).filter((at) => !units.some(({ metadata }) => metadata.name === `${name}-${at}`));
        if (missing.length === 0) return idle('all units are there');
        const made = missing.map((at) => create(custom('Unit', ownedBy(self, { name: `${name}-${at}` })), { tolerate: ['AlreadyExists'] }));
        return write('units are missing', stillThere(self), ...made);
      },
    }),
  ],
});
