/** One object for all who ask. */
import { create, defineController, idle, write } from '../../../../src/index.ts';
import { beside, custom, resources, watchForAll } from '../bugs/kit.ts';
import { defineCorrect, livesOf } from './model.ts';

export const singleton = defineCorrect({
  name: 'singleton',
  idiom: 'Its name is fixed, so that the server refuses the second one, which counts as success.',
  kinds: resources('Wish', 'Gateway'),
  stories: livesOf({
    kind: 'Wish',
    given: ['{ apiVersion: example.com/v1, kind: Wish, metadata: { name: z } }'],
    present: "objects('Gateway').size() == 1",
    gone: "objects('Gateway').size() == 1",
    invariants: [`{ name: one-gateway, always: "objects('Gateway').size() <= 1" }`],
  }),
  controllers: () => [
    defineController({
      name: 'gateway',
      reconciles: 'Wish',
      writes: ['Gateway'],
      watches: [watchForAll('Gateway', 'Wish')],
      reconcile({ self, cache }) {
        if (cache.get('Gateway', self.metadata.namespace, 'shared') !== undefined) return idle('there is a gateway');
        return write('there is no gateway', create(custom('Gateway', beside(self, { name: 'shared' })), { tolerate: ['AlreadyExists'] }));
      },
    }),
  ],
});
