/** A collector that begins before it has seen the owners. */
import { create, defineController, idle, remove, watch, write } from '../../../../../src/index.ts';
import { beside, custom, getLive, keyOf, labelOf, onDeletion, resources, stillThere, watchLabelled } from '../kit.ts';
import { defineBug } from '../model.ts';

export const ownersUnseen = defineBug({
  name: 'collector-88097',
  source: 'kubernetes/kubernetes#88097 (also kubernetes/kubernetes#98471)',
  facts:
    'While the control plane is replaced, the collector deletes objects whose owners are alive, because it does not know the owners yet.',
  pattern: 'unverified absence',
  kinds: resources('Parent', 'Part'),
  invariants: [
    onDeletion(
      'parts-of-the-living-stay',
      'Part',
      'its parent exists',
      (gone, list) => !list('Parent').some(({ metadata }) => metadata.uid === labelOf(gone, 'of')),
    ),
  ],
  story: {
    steps: `
    - at: 1s
      apply: { apiVersion: example.com/v1, kind: Parent, metadata: { name: p } }
    - waitFor: { cel: "objects('Part').size() == 1" }
    - after: 4s
      apply: { apiVersion: example.com/v1, kind: Parent, metadata: { name: q } }
    - waitFor: { cel: "objects('Part').size() == 2" }
    - after: 4s
      delete: Parent/p
    - after: 10s
      expect: { cel: "objects('Part').map(p, p.metadata.name) == ['q']" }
`,
  },
  breaks: [/^parts-of-the-living-stay$/],
  controllers: (mended) => [
    defineController({
      name: 'maker',
      reconciles: 'Parent',
      writes: ['Part'],
      watches: [watchLabelled('Part', 'parent')],
      reconcile({ self, cache }) {
        const { name, namespace, uid } = self.metadata;
        if (cache.get('Part', namespace, name) !== undefined) return idle('it has its part');
        return write(
          'its part is missing',
          stillThere(self),
          create(custom('Part', beside(self, { name, labels: { parent: name, of: uid } })), { tolerate: ['AlreadyExists'] }),
        );
      },
    }),
    defineController({
      name: 'collector',
      reconciles: 'Part',
      writes: ['Part'],
      watches: [watch('Parent', ({ object }) => keyOf(object))],
      reconcile({ self, cache }) {
        const { namespace, name } = self.metadata;
        if (cache.get('Parent', namespace, name)?.metadata.uid === labelOf(self, 'of')) return idle('its parent exists');
        return mended
          ? write('its parent has gone, it seems', getLive('Parent', namespace, name))
          : write('its parent has gone', remove(self));
      },
      resume: ({ self }, { object }) =>
        self === undefined || object?.metadata.uid === labelOf(self, 'of')
          ? idle('its parent exists')
          : write('its parent has gone', remove(self)),
    }),
  ],
});
