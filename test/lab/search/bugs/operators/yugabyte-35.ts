/** Certificates that an old spec takes away. */
import { create, defineController, idle, remove, write } from '../../../../../src/index.ts';
import { annotationOf, onDeletion, ownedBy, removeName, resources, secret, specOf, stillThere, watchOwned } from '../kit.ts';
import { defineBug } from '../model.ts';

export const staleTls = defineBug({
  name: 'yugabyte-35',
  source: 'yugabyte/yugabyte-operator#35',
  facts: 'Encryption is switched on and the secret made; after a crash the operator reads the spec from before, and deletes the secret.',
  pattern: 'time travel',
  kinds: resources('Cluster'),
  invariants: [
    onDeletion('a-used-secret-stays', 'Secret', 'it was in use', (_, list) =>
      list('Cluster').every((each) => specOf<{ tls: boolean }>(each).tls !== true),
    ),
  ],
  story: {
    steps: `
    - at: 1s
      apply: { apiVersion: example.com/v1, kind: Cluster, metadata: { name: yb }, spec: { tls: false } }
    - at: 10s
      patch: { target: Cluster/yb, type: merge, patch: { spec: { tls: true } } }
    - waitFor: { match: { kind: Secret, metadata: { name: yb-tls } } }
    - after: 3s
      patch: { target: Cluster/yb, type: merge, patch: { metadata: { labels: { seen: "yes" } } } }
    - after: 10s
      expect: { match: { kind: Secret, metadata: { name: yb-tls } } }
`,
  },
  breaks: [/^a-used-secret-stays$/],
  controllers: (mended) => [
    defineController({
      name: 'cluster',
      reconciles: 'Cluster',
      writes: ['Secret'],
      watches: [watchOwned('Secret', 'Cluster')],
      reconcile({ self, cache }) {
        const { namespace, generation = 0 } = self.metadata;
        const name = `${self.metadata.name}-tls`;
        const known = cache.get('Secret', namespace, name);
        if (specOf<{ tls: boolean }>(self).tls === true) {
          if (known !== undefined) return idle('the secret is there');
          const metadata = ownedBy(self, { name, annotations: { generation: `${generation}` } });
          return write('there is no secret', stillThere(self), create(secret(metadata), { tolerate: ['AlreadyExists'] }));
        }
        if (!mended) return write('no encryption', removeName('Secret', namespace, name));
        if (known === undefined || Number(annotationOf(known, 'generation')) >= generation) return idle('no secret of an earlier wish');
        return write('no encryption', remove(known));
      },
    }),
  ],
});
