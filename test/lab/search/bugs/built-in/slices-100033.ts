/** A second slice with the same endpoints. */
import { create, defineController, idle, update, write } from '../../../../../src/index.ts';
import { custom, ownedBy, resources, specOf, stillThere, watchForAll, watchOwned } from '../kit.ts';
import { defineBug } from '../model.ts';

export const duplicateSlices = defineBug({
  name: 'slices-100033',
  source: 'kubernetes/kubernetes#100033 (also #92928)',
  facts: 'Two rounds in a row find no slice in the cache, and each creates one.',
  pattern: 'own write unseen',
  kinds: resources('Backend', 'Slice'),
  story: {
    invariants: [`{ name: one-slice-a-service, always: "objects('Slice').size() <= 1" }`],
    steps: `
    - at: 1s
      apply: { apiVersion: v1, kind: Service, metadata: { name: web }, spec: { ports: [{ port: 80 }] } }
    - at: 3s
      apply: { apiVersion: example.com/v1, kind: Backend, metadata: { name: one } }
    - after: 10s
      expect: { cel: "objects('Slice').size() == 1" }
`,
  },
  breaks: [/^one-slice-a-service$/],
  controllers: (mended) => [
    defineController({
      name: 'slicer',
      reconciles: 'Service',
      writes: ['Slice'],
      watches: [watchOwned('Slice', 'Service'), watchForAll('Backend', 'Service')],
      reconcile({ self, cache, expectationsSatisfied }) {
        if (mended && !expectationsSatisfied) return idle('it waits to see its own writes');
        const [slice] = cache.controlledBy('Slice', self);
        const backends = cache.list('Backend', self.metadata.namespace).map(({ metadata }) => metadata.name);
        if (slice === undefined) {
          const of = mended ? { name: `${self.metadata.name}-0` } : { generateName: `${self.metadata.name}-` };
          return write(
            'there is no slice',
            stillThere(self),
            create(custom('Slice', ownedBy(self, of), { backends }), { tolerate: ['AlreadyExists'] }),
          );
        }
        if (String(specOf<{ backends: readonly string[] }>(slice).backends) === String(backends)) return idle('the slice is right');
        const changed = update(slice, (draft) => {
          draft['spec'] = { backends };
        });
        return write('the slice differs', changed);
      },
    }),
  ],
});
