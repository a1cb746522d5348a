/** A copy of something in another place. */
import { create, defineController, idle, remove, update, watch, write } from '../../../../src/index.ts';
import { beside, custom, getLive, keyOf, labelOf, resources, specOf, stillThere } from '../bugs/kit.ts';
import { defineCorrect, livesOf } from './model.ts';

export const mirror = defineCorrect({
  name: 'mirror',
  idiom: 'The copy carries the uid of its source; it is removed by its own uid after the server has shown that the source has gone.',
  kinds: resources('Source', 'Mirror'),
  stories: livesOf({
    kind: 'Source',
    spec: '{ text: one }',
    changed: '{ text: two }',
    present: "objects('Mirror').map(m, m.spec.text) == ['one']",
    afterwards: "objects('Mirror').map(m, m.spec.text) == ['two']",
    gone: "objects('Mirror').size() == 0",
  }),
  controllers: () => [
    defineController({
      name: 'mirror',
      reconciles: 'Source',
      writes: ['Mirror'],
      watches: [watch('Mirror', ({ object }) => keyOf(object))],
      reconcile({ self, cache }) {
        const { name, namespace, uid } = self.metadata;
        const { text = '' } = specOf<{ text: string }>(self);
        const copy = cache.get('Mirror', namespace, name);
        if (copy === undefined)
          return write(
            'there is no copy',
            stillThere(self),
            create(custom('Mirror', beside(self, { name, labels: { of: uid } }), { text })),
          );
        if (labelOf(copy, 'of') !== uid) return write('the copy is of another one', stillThere(self), remove(copy));
        if (specOf<{ text: string }>(copy).text === text) return idle('the copy is right');
        const changed = update(copy, (draft) => {
          draft['spec'] = { text };
        });
        return write('the copy differs', changed);
      },
    }),
    defineController({
      name: 'mirror-cleaner',
      reconciles: 'Mirror',
      writes: ['Mirror'],
      watches: [watch('Source', ({ object }) => keyOf(object))],
      reconcile({ self, cache }) {
        const { name, namespace } = self.metadata;
        return cache.get('Source', namespace, name)?.metadata.uid === labelOf(self, 'of')
          ? idle('its source exists')
          : write('its source has gone, it seems', getLive('Source', namespace, name));
      },
      resume: ({ self }, { object }) =>
        self === undefined || object?.metadata.uid === labelOf(self, 'of')
          ? idle('its source exists')
          : write('its source has gone', remove(self)),
    }),
  ],
});
