/** A set of an earlier datacenter that comes back. */
import { type ApiObject, create, defineController, idle, write } from '../../../../../src/index.ts';
import { labelOf, ownedBy, resources, specOf, stillThere, watchLabelled } from '../kit.ts';
import { IN_THE_END, defineBug } from '../model.ts';

export const revivedSet = defineBug({
  name: 'cassandra-404',
  source: 'instaclustr/cassandra-operator#404',
  facts:
    'It creates or updates each rack that its list shows under the names of the datacenter; an old list shows a rack of the namesake before, which is created again.',
  pattern: 'time travel',
  kinds: resources('Datacenter'),
  story: {
    steps: `
    - apply: { apiVersion: v1, kind: Service, metadata: { name: dc }, spec: { clusterIP: None, selector: { app: dc }, ports: [{ port: 80 }] } }
    - at: 1s
      apply: { apiVersion: example.com/v1, kind: Datacenter, metadata: { name: dc }, spec: { racks: [east] } }
    - at: 10s
      delete: Datacenter/dc
    - waitFor: { cel: "objects('StatefulSet').size() == 0 && objects('Datacenter').size() == 0" }
    - after: 3s
      apply: { apiVersion: example.com/v1, kind: Datacenter, metadata: { name: dc }, spec: { racks: [west] } }
    - after: 10s
      expect: { cel: "objects('StatefulSet').map(s, s.metadata.name) == ['dc-west']" }
`,
  },
  breaks: [IN_THE_END],
  controllers: (mended) => [
    defineController({
      name: 'datacenter',
      reconciles: 'Datacenter',
      writes: ['StatefulSet'],
      watches: [watchLabelled('StatefulSet', 'datacenter')],
      reconcile({ self, cache }) {
        const { name, namespace, uid } = self.metadata;
        const set = (of: string) => ({
          apiVersion: 'apps/v1',
          kind: 'StatefulSet',
          metadata: ownedBy(self, { name: of, labels: { datacenter: name } }),
          spec: {
            replicas: 0,
            serviceName: 'dc',
            selector: { matchLabels: { set: of } },
            template: { metadata: { labels: { set: of } }, spec: { containers: [{ name: 'c', image: 'db:1' }] } },
          },
        });
        const listed = cache.list('StatefulSet', namespace).filter((each) => labelOf(each, 'datacenter') === name);
        const isOwn = ({ metadata }: ApiObject): boolean => metadata.ownerReferences?.[0]?.uid === uid;
        const foreign = mended ? [] : listed.filter((each) => !isOwn(each)).map(({ metadata }) => metadata.name);
        const missing = (specOf<{ racks: readonly string[] }>(self).racks ?? [])
          .map((rack) => `${name}-${rack}`)
          .filter((each) => !listed.some((of) => of.metadata.name === each && isOwn(of)));
        const wanted = [...foreign, ...missing];
        if (wanted.length === 0) return idle('each rack has its set');
        return write(
          'racks need a set',
          stillThere(self),
          ...wanted.map((each) => create(set(each), mended ? {} : { tolerate: ['AlreadyExists'] })),
        );
      },
    }),
  ],
});
