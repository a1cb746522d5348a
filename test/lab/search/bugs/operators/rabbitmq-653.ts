/** A set that is deleted for a size from the past. */
import { create, defineController, idle, write } from '../../../../../src/index.ts';
import { custom, onDeletion, ownedBy, removeAs, resources, specOf, stillThere, watchOwned } from '../kit.ts';
import { defineBug } from '../model.ts';

export const staleSize = defineBug({
  name: 'rabbitmq-653',
  source: 'rabbitmq/cluster-operator#653',
  facts:
    'A size that differs from the one of the set counts as an enlargement; an old spec beside a new set makes it delete the set, although sizes only grow.',
  pattern: 'time travel',
  kinds: resources('Broker', 'Workers'),
  invariants: [
    onDeletion('only-small-workers-go', 'Workers', 'it was as large as wanted', (gone, list) =>
      list('Broker').every((each) => (specOf<{ storage: number }>(gone).storage ?? 0) < (specOf<{ storage: number }>(each).storage ?? 0)),
    ),
  ],
  story: {
    steps: `
    - at: 1s
      apply: { apiVersion: example.com/v1, kind: Broker, metadata: { name: mq }, spec: { storage: 10 } }
    - at: 10s
      patch: { target: Broker/mq, type: merge, patch: { spec: { storage: 15 } } }
    - waitFor: { match: { kind: Workers, metadata: { name: mq }, spec: { storage: 15 } } }
    - after: 3s
      patch: { target: Broker/mq, type: merge, patch: { metadata: { labels: { seen: "yes" } } } }
    - after: 10s
      expect: { match: { kind: Workers, metadata: { name: mq }, spec: { storage: 15 } } }
`,
  },
  breaks: [/^only-small-workers-go$/],
  controllers: (mended) => [
    defineController({
      name: 'broker',
      reconciles: 'Broker',
      writes: ['Workers'],
      watches: [watchOwned('Workers', 'Broker')],
      reconcile({ self, cache }) {
        const { name, namespace } = self.metadata;
        const workers = cache.get('Workers', namespace, name);
        const { storage = 0 } = specOf<{ storage: number }>(self);
        if (workers === undefined)
          return write(
            'there are no workers',
            stillThere(self),
            create(custom('Workers', ownedBy(self, { name }), { storage }), { tolerate: ['AlreadyExists'] }),
          );
        const has = specOf<{ storage: number }>(workers).storage ?? 0;
        if (has === storage) return idle('the workers have their storage');
        if (mended && has > storage) return idle('storage cannot shrink');
        return write('the storage differs', removeAs(mended, workers));
      },
    }),
  ],
});
