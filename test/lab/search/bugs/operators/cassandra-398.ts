/** A claim that is deleted only if its pod was seen leaving. */
import { type ApiObject, create, defineController, idle, remove, write } from '../../../../../src/index.ts';
import { claim, isDeleting, labelOf, ownedBy, pod, range, resources, specOf, stillThere, watchOwned } from '../kit.ts';
import { IN_THE_END, defineBug } from '../model.ts';

export const unseenDeletion = defineBug({
  name: 'cassandra-398',
  source: 'instaclustr/cassandra-operator#398',
  facts:
    'It deletes the claim of a pod that it sees with a deletion timestamp; if the pod vanishes from the cache first, the claim stays for ever.',
  pattern: 'unobserved state',
  kinds: resources('Datacenter'),
  story: {
    nodes: 1,
    steps: `
    - at: 1s
      apply: { apiVersion: example.com/v1, kind: Datacenter, metadata: { name: dc }, spec: { nodes: 2 } }
    - at: 10s
      patch: { target: Datacenter/dc, type: merge, patch: { spec: { nodes: 1 } } }
    - after: 20s
      expect: { cel: "objects('PersistentVolumeClaim').size() == 1 && objects('Pod').size() == 1" }
`,
  },
  breaks: [IN_THE_END],
  controllers: (mended) => [
    defineController({
      name: 'datacenter',
      reconciles: 'Datacenter',
      writes: ['Pod', 'PersistentVolumeClaim'],
      watches: [watchOwned('Pod', 'Datacenter'), watchOwned('PersistentVolumeClaim', 'Datacenter')],
      reconcile({ self, cache, expectationsSatisfied }) {
        if (!expectationsSatisfied) return idle('it waits to see its own writes');
        const { nodes = 0 } = specOf<{ nodes: number }>(self);
        const pods = cache.controlledBy('Pod', self);
        const claims = cache.controlledBy('PersistentVolumeClaim', self).filter((each) => !isDeleting(each));
        const isUnused = ({ metadata: { name: of } }: ApiObject): boolean => {
          const user = pods.find(({ metadata }) => of === `data-${metadata.name}`);
          return user === undefined ? mended && Number(of.split('-').at(-1)) >= nodes : isDeleting(user);
        };
        const unused = claims.filter(isUnused);
        if (unused.length > 0) return write('their pods leave', ...unused.map((each) => remove(each)));
        const surplus = pods.filter((each) => !isDeleting(each) && Number(labelOf(each, 'at')) >= nodes);
        if (surplus.length > 0) return write('there are nodes too many', ...surplus.map((each) => remove(each)));
        const missing = range(nodes).filter((at) => !pods.some((each) => labelOf(each, 'at') === `${at}`));
        if (missing.length === 0) return idle('each node runs');
        const safe = { tolerate: ['AlreadyExists'] };
        return write(
          'nodes are missing',
          stillThere(self),
          ...missing.flatMap((at) => {
            const name = `${self.metadata.name}-${at}`;
            return [
              create(claim(ownedBy(self, { name: `data-${name}` })), safe),
              create(pod(ownedBy(self, { name, labels: { at: `${at}` } })), safe),
            ];
          }),
        );
      },
    }),
  ],
});
