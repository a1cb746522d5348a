/** The second of two secrets, which nobody looks for. */
import { create, defineController, idle, write } from '../../../../../src/index.ts';
import { ownedBy, resources, secret, watchOwned } from '../kit.ts';
import { IN_THE_END, defineBug } from '../model.ts';

export const secondSecret = defineBug({
  name: 'mongodb-578',
  source: 'percona/percona-server-mongodb-operator K8SPSMDB-578 (also K8SPSMDB-579, percona-xtradb K8SPXC-896)',
  facts: 'It makes two certificates when the first is missing; a crash after the first leaves the cluster without the second.',
  pattern: 'crash between writes',
  kinds: resources('Mongo'),
  story: {
    steps: `
    - at: 1s
      apply: { apiVersion: example.com/v1, kind: Mongo, metadata: { name: db } }
    - after: 10s
      expect: { cel: "objects('Secret').map(s, s.metadata.name) == ['db-ssl', 'db-ssl-internal']" }
`,
  },
  breaks: [IN_THE_END],
  controllers: (mended) => [
    defineController({
      name: 'mongo',
      reconciles: 'Mongo',
      writes: ['Secret'],
      watches: [watchOwned('Secret', 'Mongo')],
      reconcile({ self, cache }) {
        const names = ['ssl', 'ssl-internal'].map((each) => `${self.metadata.name}-${each}`);
        const missing = names.filter((each) => cache.get('Secret', self.metadata.namespace, each) === undefined);
        const isDone = mended ? missing.length === 0 : !missing.includes(names[0] ?? '');
        if (isDone) return idle('it has its certificates');
        return write(
          'certificates are missing',
          ...missing.map((name) => create(secret(ownedBy(self, { name })), { tolerate: ['AlreadyExists'] })),
        );
      },
    }),
  ],
});
