/** A Service that an old port takes away. */
import { create, defineController, idle, remove, write } from '../../../../../src/index.ts';
import { getLive, onDeletion, ownedBy, removeName, resources, specOf, stillThere, watchOwned } from '../kit.ts';
import { defineBug } from '../model.ts';

export const stalePort = defineBug({
  name: 'yugabyte-36',
  source: 'yugabyte/yugabyte-operator#36',
  facts: 'A port is opened and its Service made; after a crash the operator reads the port as closed, and deletes the Service.',
  pattern: 'time travel',
  kinds: resources('Cluster'),
  invariants: [
    onDeletion('an-open-port-stays', 'Service', 'its port is open', (_, list) =>
      list('Cluster').every((each) => (specOf<{ port: number }>(each).port ?? -1) < 0),
    ),
  ],
  story: {
    steps: `
    - at: 1s
      apply: { apiVersion: example.com/v1, kind: Cluster, metadata: { name: yb }, spec: { port: -1 } }
    - at: 6s
      patch: { target: Cluster/yb, type: merge, patch: { spec: { port: 7000 } } }
    - after: 20s
      expect: { cel: "object('Service/yb-ui').spec.ports[0].port == 7000" }
`,
  },
  breaks: [/^an-open-port-stays$/],
  controllers: (mended) => [
    defineController({
      name: 'cluster',
      reconciles: 'Cluster',
      writes: ['Service'],
      watches: [watchOwned('Service', 'Cluster')],
      reconcile({ self, cache }) {
        const { namespace } = self.metadata;
        const name = `${self.metadata.name}-ui`;
        const service = cache.get('Service', namespace, name);
        const { port = -1 } = specOf<{ port: number }>(self);
        if (port < 0) {
          if (mended && service === undefined) return idle('there is nothing to close');
          return mended
            ? write('the port is closed, it seems', getLive('Cluster', namespace, self.metadata.name))
            : write('the port is closed', removeName('Service', namespace, name));
        }
        if (service !== undefined) return idle('the port is open');
        const metadata = ownedBy(self, { name });
        return write(
          'the port is open',
          stillThere(self),
          create({ apiVersion: 'v1', kind: 'Service', metadata, spec: { ports: [{ port }] } }, { tolerate: ['AlreadyExists'] }),
        );
      },
      resume({ self, cache }, { object }) {
        const service = self === undefined ? undefined : cache.get('Service', self.metadata.namespace, `${self.metadata.name}-ui`);
        if (service === undefined || object === undefined || (specOf<{ port: number }>(object).port ?? -1) >= 0)
          return idle('the cache is old');
        return write('the port is closed', remove(service));
      },
    }),
  ],
});
