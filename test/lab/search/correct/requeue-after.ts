/** Something that is done after a while. */
import { defineController, remove, wakeAt, write } from '../../../../src/index.ts';
import { resources, specOf } from '../bugs/kit.ts';
import { defineCorrect, livesOf } from './model.ts';

export const requeueAfter = defineCorrect({
  name: 'requeue-after',
  idiom: 'The instant follows from the object, so that every round comes to the same one, and nothing is kept in memory.',
  kinds: resources('Note'),
  stories: livesOf({
    kind: 'Note',
    spec: '{ seconds: 8 }',
    changed: '{ seconds: 12 }',
    present: "objects('Note').size() == 0",
    gone: "objects('Note').size() == 0",
    ready: "objects('Note').size() == 1",
  }),
  controllers: () => [
    defineController({
      name: 'expiry',
      reconciles: 'Note',
      writes: ['Note'],
      reconcile({ self, now }) {
        const due = Date.parse(self.metadata.creationTimestamp) + (specOf<{ seconds: number }>(self).seconds ?? 0) * 1_000;
        return now < due ? wakeAt(due, 'it is not due yet') : write('it is due', remove(self));
      },
    }),
  ],
});
