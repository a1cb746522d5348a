/** Adoption by a set that is deleted. */
import { defineController, idle, update, write } from '../../../../../src/index.ts';
import { isDeleting, labelOf, ownedBy, resources, stillThere, watchLabelled } from '../kit.ts';
import { IN_THE_END, defineBug } from '../model.ts';

export const adoptedByTheDead = defineBug({
  name: 'adoption-42639',
  source: 'kubernetes/kubernetes#42639, mended by #42938',
  facts: 'A controller that has not seen its own deletion adopts matching orphans, and the collector deletes them with it.',
  pattern: 'stale read',
  kinds: resources('Holder', 'Unit'),
  story: {
    steps: `
    - at: 1s
      apply: { apiVersion: example.com/v1, kind: Holder, metadata: { name: h } }
    - at: 6s
      delete: { target: Holder/h, propagationPolicy: Orphan }
    - after: 1s
      apply: { apiVersion: example.com/v1, kind: Unit, metadata: { name: u, labels: { holder: h } } }
    - after: 10s
      expect: { cel: "objects('Unit').size() == 1" }
`,
  },
  breaks: [IN_THE_END],
  controllers: (mended) => [
    defineController({
      name: 'holder',
      reconciles: 'Holder',
      writes: ['Unit'],
      watches: [watchLabelled('Unit', 'holder')],
      reconcile({ self, cache }) {
        if (isDeleting(self)) return idle('it is being deleted');
        const orphans = cache
          .list('Unit', self.metadata.namespace)
          .filter((each) => labelOf(each, 'holder') === self.metadata.name && (each.metadata.ownerReferences ?? []).length === 0);
        if (orphans.length === 0) return idle('there are no orphans');
        const { ownerReferences = [] } = ownedBy(self, { name: '' });
        const adopted = orphans.map((each) =>
          update(each, ({ metadata }) => {
            metadata.ownerReferences = [...ownerReferences];
          }),
        );
        return write('orphans match', ...(mended ? [stillThere(self)] : []), ...adopted);
      },
    }),
  ],
});
