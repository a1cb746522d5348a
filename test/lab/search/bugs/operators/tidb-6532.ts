/** A finalizer that trusts an empty cache. */
import { create, defineController, idle, remove, write } from '../../../../../src/index.ts';
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
} from '../kit.ts';
import { IN_THE_END, defineBug } from '../model.ts';

export const emptyCache = defineBug({
  name: 'tidb-6532',
  source: 'pingcap/tidb-operator#6532',
  facts: 'It lets an object go when the cache shows nothing left of it; what was just made is not in the cache yet, and is leaked.',
  pattern: 'unverified absence',
  missed: 'a watch event of the store, held until after the deletion',
  kinds: resources('Instance', 'Store'),
  story: {
    steps: `
    - at: 1s
      apply: { apiVersion: example.com/v1, kind: Instance, metadata: { name: kv }, spec: { stores: 1 } }
    - at: 8s
      patch: { target: Instance/kv, type: merge, patch: { spec: { stores: 2 } } }
    - after: 2s
      delete: Instance/kv
    - after: 10s
      expect: { cel: "objects('Store').size() == 0 && objects('Instance').size() == 0" }
`,
  },
  breaks: [IN_THE_END],
  takes: [`{ at: "see controller-manager Store default/kv-0 #1", hold: 30s }`],
  controllers: (mended) => [
    defineController({
      name: 'instance',
      reconciles: 'Instance',
      writes: ['Instance', 'Store'],
      watches: [watchLabelled('Store', 'instance')],
      reconcile({ self, cache }) {
        const { name, namespace, uid } = self.metadata;
        const stores = cache.list('Store', namespace).filter((each) => labelOf(each, 'uid') === uid);
        if (isDeleting(self)) {
          if (!hasFinalizer(self)) return idle('others hold it');
          if (mended) return write('it is deleted: look for its stores', listLive('Store', self));
          return stores.length === 0
            ? write('it has no stores', dropFinalizer(self))
            : write('its stores go first', ...stores.map((each) => remove(each)));
        }
        if (!hasFinalizer(self)) return write('the finalizer first', addFinalizer(self));
        const names = range(specOf<{ stores: number }>(self).stores ?? 0).map((at) => `${name}-${at}`);
        const missing = names.filter((each) => !stores.some(({ metadata }) => metadata.name === each));
        if (missing.length === 0) return idle('it has its stores');
        const made = missing.map((each) =>
          create(custom('Store', beside(self, { name: each, labels: { instance: name, uid } })), { tolerate: ['AlreadyExists'] }),
        );
        return write('stores are missing', stillThere(self), ...made);
      },
      resume({ self }, { objects = [] }) {
        if (self === undefined || !isDeleting(self)) return idle('the cache has moved on');
        const left = objects.filter((each) => labelOf(each, 'uid') === self.metadata.uid);
        return left.length === 0
          ? write('it has no stores', dropFinalizer(self))
          : write('its stores go first', ...left.map((each) => remove(each)));
      },
    }),
  ],
});
