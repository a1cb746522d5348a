/** A step that waits for what only a later step makes. */
import { create, defineController, idle, update, write } from '../../../../../src/index.ts';
import { custom, ownedBy, resources, specOf, stillThere, watchOwned } from '../kit.ts';
import { IN_THE_END, defineBug } from '../model.ts';

export const missingNode = defineBug({
  name: 'zookeeper-569',
  source: 'pravega/zookeeper-operator#569, found by the authors of Anvil',
  facts:
    'It crashes before it makes the node that holds the size, and the size changes meanwhile: the update of the set demands that node, fails, and never gets to the step that makes it.',
  pattern: 'crash between writes',
  kinds: resources('Ensemble', 'Workers', 'ZNode'),
  story: {
    steps: `
    - at: 1s
      apply: { apiVersion: example.com/v1, kind: Ensemble, metadata: { name: zk }, spec: { size: 1 } }
    - at: 5s
      patch: { target: Ensemble/zk, type: merge, patch: { spec: { size: 3 } } }
    - after: 10s
      expect: { cel: "object('Workers/zk').spec.size == 3" }
`,
  },
  breaks: [IN_THE_END],
  controllers: (mended) => [
    defineController({
      name: 'ensemble',
      reconciles: 'Ensemble',
      writes: ['Workers', 'ZNode'],
      watches: [watchOwned('Workers', 'Ensemble'), watchOwned('ZNode', 'Ensemble')],
      reconcile({ self, cache }) {
        const { size = 0 } = specOf<{ size: number }>(self);
        const { name, namespace } = self.metadata;
        const workers = cache.get('Workers', namespace, name);
        const node = cache.get('ZNode', namespace, name);
        const safe = { tolerate: ['AlreadyExists'] };
        const makeNode = create(custom('ZNode', ownedBy(self, { name })), safe);
        if (workers === undefined)
          return write('there are no workers', stillThere(self), create(custom('Workers', ownedBy(self, { name }), { size }), safe));
        if (specOf<{ size: number }>(workers).size !== size) {
          if (node === undefined) return mended ? write('the node is missing', makeNode) : idle('the node cannot be read');
          const changed = update(workers, (draft) => {
            draft['spec'] = { size };
          });
          return write('the size has changed', changed);
        }
        return node === undefined ? write('the workers are there', makeNode) : idle('the ensemble is complete');
      },
    }),
  ],
});
