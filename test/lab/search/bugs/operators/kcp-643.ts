/** A deletion that comes after the next creation. */
import { create, defineController, idle, remove, watch, write } from '../../../../../src/index.ts';
import { beside, custom, keyOf, labelOf, onDeletion, removeAs, resources, stillThere } from '../kit.ts';
import { defineBug } from '../model.ts';

export const lateDeletion = defineBug({
  name: 'kcp-643',
  source: 'kcp-dev/kcp#643 (mended by uid preconditions in kcp-dev/kcp#628)',
  facts:
    'The deletion of a copy fails and is queued; the original is created again and copied, and then the queued deletion removes the new copy.',
  pattern: 'missing uid',
  kinds: resources('Original', 'Copy'),
  invariants: [
    onDeletion(
      'a-copy-of-the-living-stays',
      'Copy',
      'its original exists',
      (gone, list) => !list('Original').some(({ metadata }) => metadata.uid === labelOf(gone, 'of')),
    ),
  ],
  story: {
    steps: `
    - at: 1s
      apply: { apiVersion: example.com/v1, kind: Original, metadata: { name: one } }
    - at: 5s
      delete: Original/one
    - after: 2s
      apply: { apiVersion: example.com/v1, kind: Original, metadata: { name: one } }
    - after: 10s
      expect: { cel: "objects('Copy').map(c, c.metadata.labels.of) == [object('Original/one').metadata.uid]" }
`,
  },
  breaks: [/^a-copy-of-the-living-stays$/],
  controllers: (mended) => [
    defineController({
      name: 'copier',
      reconciles: 'Original',
      writes: ['Copy'],
      watches: [watch('Copy', ({ object }) => keyOf(object))],
      reconcile({ self, cache }) {
        const { name, namespace, uid } = self.metadata;
        const copy = cache.get('Copy', namespace, name);
        if (copy !== undefined)
          return labelOf(copy, 'of') === uid ? idle('there is a copy') : write('the copy is of another one', remove(copy));
        return write('there is no copy', stillThere(self), create(custom('Copy', beside(self, { name, labels: { of: uid } }))));
      },
    }),
    defineController({
      name: 'deleter',
      reconciles: 'Copy',
      writes: ['Copy'],
      watches: [watch('Original', ({ object }) => keyOf(object))],
      reconcile({ self, cache }) {
        const original = cache.get('Original', self.metadata.namespace, self.metadata.name);
        return original === undefined ? write('its original has gone', removeAs(mended, self)) : idle('its original exists');
      },
    }),
  ],
});
