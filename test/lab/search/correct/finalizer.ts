/** A clean-up of something that has no owner. */
import { create, defineController, idle, remove, write } from '../../../../src/index.ts';
import {
  addFinalizer,
  beside,
  custom,
  dropFinalizer,
  hasFinalizer,
  isDeleting,
  labelOf,
  listLive,
  range,
  resources,
  specOf,
  stillThere,
  watchLabelled,
} from '../bugs/kit.ts';
import { defineCorrect, livesOf } from './model.ts';

export const finalizer = defineCorrect({
  name: 'finalizer',
  idiom:
    'The finalizer is stored before anything is made outside, and goes after the server has shown that nothing is left; until then it looks again, for no event tells of what the cache never saw.',
  kinds: resources('Database', 'CloudDisk'),
  stories: livesOf({
    kind: 'Database',
    spec: '{ disks: 1 }',
    larger: '{ disks: 3 }',
    present: "objects('CloudDisk').size() == 1",
    scaled: "objects('CloudDisk').size() == 3",
    gone: "objects('CloudDisk').size() == 0 && objects('Database').size() == 0",
  }),
  controllers: () => [
    defineController({
      name: 'database',
      reconciles: 'Database',
      writes: ['Database', 'CloudDisk'],
      watches: [watchLabelled('CloudDisk', 'database')],
      reconcile({ self, cache }) {
        const { name, uid, namespace } = self.metadata;
        if (isDeleting(self))
          return hasFinalizer(self) ? write('it is deleted: look what is left', listLive('CloudDisk', self)) : idle('others hold it');
        if (!hasFinalizer(self)) return write('the finalizer first', addFinalizer(self));
        const names = range(specOf<{ disks: number }>(self).disks ?? 0).map((at) => `${name}-${uid.slice(0, 8)}-${at}`);
        const missing = names.filter((each) => cache.get('CloudDisk', namespace, each) === undefined);
        if (missing.length === 0) return idle('all disks are there');
        const made = missing.map((each) =>
          create(custom('CloudDisk', beside(self, { name: each, labels: { database: name, uid } })), { tolerate: ['AlreadyExists'] }),
        );
        return write('disks are missing', stillThere(self), ...made);
      },
      resume({ self, now }, { objects = [] }) {
        const left = objects.filter((each) => labelOf(each, 'uid') === self?.metadata.uid);
        if (self === undefined || !isDeleting(self)) return idle('the cache has moved on');
        return left.length === 0
          ? write('nothing is left', dropFinalizer(self))
          : { ...write('its disks go first', ...left.map((each) => remove(each))), wakeAt: now + 10_000 };
      },
    }),
  ],
});
