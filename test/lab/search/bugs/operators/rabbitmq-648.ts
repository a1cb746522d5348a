/** A running set that an old deletion takes along. */
import { create, defineController, idle, remove, write } from '../../../../../src/index.ts';
import {
  addFinalizer,
  custom,
  dropFinalizer,
  hasFinalizer,
  isDeleting,
  onDeletion,
  ownedBy,
  removeName,
  resources,
  stillThere,
  watchOwned,
} from '../kit.ts';
import { defineBug } from '../model.ts';

export const namesakeSet = defineBug({
  name: 'rabbitmq-648',
  source: 'rabbitmq/cluster-operator#648 (also percona K8SPSMDB-430, K8SPXC-716)',
  facts:
    'A cluster is deleted and created again; after a restart the operator reads the old deletion, and deletes the set of that name without its uid.',
  pattern: 'missing uid',
  missed: 'a restart with lists as of before the namesake was deleted',
  kinds: resources('Broker', 'Workers'),
  invariants: [
    onDeletion('workers-of-the-living', 'Workers', 'its broker is not being deleted', (gone, list) =>
      list('Broker').every((each) => isDeleting(each) || gone.metadata.ownerReferences?.[0]?.uid !== each.metadata.uid),
    ),
  ],
  story: {
    steps: `
    - at: 1s
      apply: { apiVersion: example.com/v1, kind: Broker, metadata: { name: mq } }
    - at: 8s
      delete: Broker/mq
    - waitFor: { absent: Broker/mq }
    - after: 1s
      apply: { apiVersion: example.com/v1, kind: Broker, metadata: { name: mq } }
    - after: 5s
      patch: { target: Broker/mq, type: merge, patch: { metadata: { labels: { seen: "yes" } } } }
    - after: 10s
      expect: { match: { kind: Workers, metadata: { name: mq } } }
`,
  },
  breaks: [/^workers-of-the-living$/],
  takes: [`{ at: "decide controller-manager broker default/mq w10+2", crash: before, restartAfter: 1ms, staleBy: 6034ms }`],
  controllers: (mended) => [
    defineController({
      name: 'broker',
      reconciles: 'Broker',
      writes: ['Broker', 'Workers'],
      watches: [watchOwned('Workers', 'Broker')],
      reconcile({ self, cache }) {
        const { name, namespace } = self.metadata;
        const workers = cache.get('Workers', namespace, name);
        if (isDeleting(self)) {
          if (!hasFinalizer(self)) return idle('others hold it');
          if (mended) return write('its workers go first', ...(workers === undefined ? [] : [remove(workers)]), dropFinalizer(self));
          return write('its workers go first', removeName('Workers', namespace, name), dropFinalizer(self));
        }
        if (!hasFinalizer(self)) return write('its workers go first', addFinalizer(self));
        if (workers !== undefined) return idle('the workers run');
        return write('there are no workers', stillThere(self), create(custom('Workers', ownedBy(self, { name }))));
      },
    }),
  ],
});
