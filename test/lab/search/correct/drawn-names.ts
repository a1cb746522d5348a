/** Children with drawn names. */
import { create, defineController, idle, remove, write } from '../../../../src/index.ts';
import { custom, isDeleting, ownedBy, range, resources, specOf, stillThere, watchOwned } from '../bugs/kit.ts';
import { defineCorrect, livesOf } from './model.ts';

export const drawnNames = defineCorrect({
  name: 'drawn-names',
  idiom: 'It waits until it sees its own writes, and takes back what is too much.',
  kinds: resources('Crew', 'Hand'),
  stories: livesOf({
    kind: 'Crew',
    spec: '{ size: 2 }',
    larger: '{ size: 4 }',
    changed: '{ size: 1 }',
    present: "objects('Hand').size() == 2",
    scaled: "objects('Hand').size() == 4",
    afterwards: "objects('Hand').size() == 1",
    gone: "objects('Hand').size() == 0",
  }),
  controllers: () => [
    defineController({
      name: 'crew',
      reconciles: 'Crew',
      writes: ['Hand'],
      watches: [watchOwned('Hand', 'Crew')],
      reconcile({ self, cache, expectationsSatisfied }) {
        if (isDeleting(self)) return idle('it is being deleted');
        if (!expectationsSatisfied) return idle('it waits to see its own writes');
        const { size = 0 } = specOf<{ size: number }>(self);
        const hands = cache.controlledBy('Hand', self);
        if (hands.length > size)
          return write('there are hands too many', stillThere(self), ...hands.slice(size).map((each) => remove(each)));
        if (hands.length === size) return idle('all hands are there');
        const made = range(size - hands.length).map(() =>
          create(custom('Hand', ownedBy(self, { generateName: `${self.metadata.name}-` }))),
        );
        return write('hands are missing', stillThere(self), ...made);
      },
    }),
  ],
});
