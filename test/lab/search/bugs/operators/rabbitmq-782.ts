/** An enlargement that is forgotten half-way. */
import { type ApiObject, create, defineController, idle, remove, update, type Write, write } from '../../../../../src/index.ts';
import { custom, ownedBy, resources, specOf, stillThere, watchOwned } from '../kit.ts';
import { IN_THE_END, defineBug } from '../model.ts';

export const forgottenResize = defineBug({
  name: 'rabbitmq-782',
  source: 'rabbitmq/cluster-operator#782',
  facts:
    'To enlarge a claim it deletes the set, changes the claim and makes the set again; it decides by the set, so after a crash behind the first step the claim keeps its size.',
  pattern: 'crash between writes',
  kinds: resources('Broker', 'Workers', 'Disk'),
  story: {
    steps: `
    - at: 1s
      apply: { apiVersion: example.com/v1, kind: Broker, metadata: { name: mq }, spec: { storage: 10 } }
    - at: 10s
      patch: { target: Broker/mq, type: merge, patch: { spec: { storage: 15 } } }
    - after: 10s
      expect: { cel: "object('Disk/mq').spec.storage == 15 && object('Workers/mq').spec.storage == 15" }
`,
  },
  breaks: [IN_THE_END],
  controllers: (mended) => [
    defineController({
      name: 'broker',
      reconciles: 'Broker',
      writes: ['Workers', 'Disk'],
      watches: [watchOwned('Workers', 'Broker'), watchOwned('Disk', 'Broker')],
      reconcile({ self, cache }) {
        const { name, namespace } = self.metadata;
        const { storage = 0 } = specOf<{ storage: number }>(self);
        const workers = cache.get('Workers', namespace, name);
        const disk = cache.get('Disk', namespace, name);
        const isSmall = (object: ApiObject): boolean => (specOf<{ storage: number }>(object).storage ?? 0) < storage;
        const enlarge = (object: ApiObject): Write =>
          update(object, (draft) => {
            draft['spec'] = { storage };
          });
        const safe = { tolerate: ['AlreadyExists'] };
        if (disk === undefined)
          return write('there is no disk', stillThere(self), create(custom('Disk', ownedBy(self, { name }), { storage }), safe));
        const steps = [...(workers !== undefined && isSmall(workers) ? [remove(workers)] : []), ...(isSmall(disk) ? [enlarge(disk)] : [])];
        if (mended ? steps.length > 0 : workers !== undefined && isSmall(workers)) return write('the storage is too small', ...steps);
        if (workers !== undefined) return idle('the workers have their storage');
        return write('there are no workers', stillThere(self), create(custom('Workers', ownedBy(self, { name }), { storage }), safe));
      },
    }),
  ],
});
