/** Config servers that an old spec switches off. */
import { create, defineController, idle, remove, write } from '../../../../../src/index.ts';
import { custom, getLive, onDeletion, ownedBy, removeName, resources, specOf, stillThere, watchOwned } from '../kit.ts';
import { defineBug } from '../model.ts';

export const staleSwitch = defineBug({
  name: 'mongodb-433',
  source: 'percona/percona-server-mongodb-operator K8SPSMDB-433 (also K8SPSMDB-438, K8SPXC-725, K8SPXC-763)',
  facts: 'Sharding is switched off and on again; an operator that restarts with the spec in between deletes the new config servers.',
  pattern: 'time travel',
  kinds: resources('Mongo', 'Servers'),
  invariants: [
    onDeletion('wanted-servers-stay', 'Servers', 'it was wanted', (_, list) =>
      list('Mongo').every((each) => specOf<{ sharding: boolean }>(each).sharding !== true),
    ),
  ],
  story: {
    steps: `
    - at: 1s
      apply: { apiVersion: example.com/v1, kind: Mongo, metadata: { name: db }, spec: { sharding: true } }
    - at: 20s
      patch: { target: Mongo/db, type: merge, patch: { spec: { sharding: false } } }
    - waitFor: { absent: Servers/db }
    - after: 3s
      patch: { target: Mongo/db, type: merge, patch: { spec: { sharding: true } } }
    - waitFor: { match: { kind: Servers, metadata: { name: db } } }
    - after: 4s
      patch: { target: Mongo/db, type: merge, patch: { metadata: { labels: { seen: "yes" } } } }
    - after: 10s
      expect: { match: { kind: Servers, metadata: { name: db } } }
`,
  },
  breaks: [/^wanted-servers-stay$/],
  controllers: (mended) => [
    defineController({
      name: 'mongo',
      reconciles: 'Mongo',
      writes: ['Servers'],
      watches: [watchOwned('Servers', 'Mongo')],
      reconcile({ self, cache }) {
        const { name, namespace } = self.metadata;
        const servers = cache.get('Servers', namespace, name);
        if (specOf<{ sharding: boolean }>(self).sharding === true) {
          if (servers !== undefined) return idle('the servers run');
          return write(
            'there are no servers',
            stillThere(self),
            create(custom('Servers', ownedBy(self, { name })), { tolerate: ['AlreadyExists'] }),
          );
        }
        // Its deletion asks the server, and not the cache, whether there is something to delete.
        if (!mended) return write('no sharding: no servers', removeName('Servers', namespace, name));
        return servers === undefined ? idle('no sharding') : write('no sharding, it seems', getLive('Mongo', namespace, name));
      },
      resume({ self, cache }, { object }) {
        const servers = self === undefined ? undefined : cache.get('Servers', self.metadata.namespace, self.metadata.name);
        if (object === undefined || servers === undefined || specOf<{ sharding: boolean }>(object).sharding === true)
          return idle('the cache is old');
        return write('no sharding: no servers', remove(servers));
      },
    }),
  ],
});
