/** A status that counts children. */
import { create, defineController, idle, remove, write, writeStatus } from '../../../../src/index.ts';
import { custom, isDeleting, ownedBy, range, resources, specOf, statusOf, stillThere, watchOwned } from '../bugs/kit.ts';
import { defineCorrect, livesOf } from './model.ts';

export const statusFromChildren = defineCorrect({
  name: 'status-from-children',
  idiom: 'The status is computed from the children of the cache and written with the revision; every change of a child leads to it again.',
  kinds: resources('Pool', 'Slot'),
  stories: livesOf({
    kind: 'Pool',
    spec: '{ size: 2 }',
    changed: '{ size: 1 }',
    larger: '{ size: 3 }',
    present: "objects('Slot').size() == 2 && object('Pool/x').status.slots == 2",
    afterwards: "objects('Slot').size() == 1 && object('Pool/x').status.slots == 1",
    scaled: "objects('Slot').size() == 3 && object('Pool/x').status.slots == 3",
    gone: "objects('Slot').size() == 0",
  }),
  controllers: () => [
    defineController({
      name: 'pool',
      reconciles: 'Pool',
      writes: ['Pool', 'Slot'],
      watches: [watchOwned('Slot', 'Pool')],
      reconcile({ self, cache }) {
        if (isDeleting(self)) return idle('it is being deleted');
        const { name, uid } = self.metadata;
        const { size = 0 } = specOf<{ size: number }>(self);
        const names = range(size).map((at) => `${name}-${uid.slice(0, 8)}-${at}`);
        const slots = cache.controlledBy('Slot', self);
        const missing = names.filter((each) => !slots.some(({ metadata }) => metadata.name === each));
        if (missing.length > 0)
          return write(
            'slots are missing',
            stillThere(self),
            ...missing.map((each) => create(custom('Slot', ownedBy(self, { name: each })), { tolerate: ['AlreadyExists'] })),
          );
        const surplus = slots.filter(({ metadata }) => !names.includes(metadata.name));
        if (surplus.length > 0) return write('there are slots too many', stillThere(self), ...surplus.map((each) => remove(each)));
        if (statusOf<{ slots: number }>(self).slots === slots.length) return idle('the status is true');
        return write('the status is old', writeStatus(self, { slots: slots.length }));
      },
    }),
  ],
});
