/** Claims beyond a size from the past. */
import { create, defineController, idle, remove, write } from '../../../../../src/index.ts';
import {
  claim,
  getLive,
  isDeleting,
  labelOf,
  onDeletionAsked,
  ownedBy,
  range,
  removeAs,
  resources,
  specOf,
  stillThere,
  watchOwned,
} from '../kit.ts';
import { defineBug } from '../model.ts';

export const staleScale = defineBug({
  name: 'zookeeper-314',
  source: 'pravega/zookeeper-operator#314',
  facts:
    'It deletes the claims of members beyond the size that it reads; after a scale-down and a scale-up an old size costs the new member its claim.',
  pattern: 'time travel',
  kinds: resources('Ensemble'),
  invariants: [
    onDeletionAsked('claims-within-the-size', 'PersistentVolumeClaim', 'it is of a member within the size', (gone, list) =>
      list('Ensemble').every((each) => !(Number(labelOf(gone, 'at')) < (specOf<{ size: number }>(each).size ?? 0))),
    ),
  ],
  story: {
    steps: `
    - at: 1s
      apply: { apiVersion: example.com/v1, kind: Ensemble, metadata: { name: zk }, spec: { size: 2 } }
    - at: 10s
      patch: { target: Ensemble/zk, type: merge, patch: { spec: { size: 1 } } }
    - waitFor: { cel: "objects('PersistentVolumeClaim').size() == 1" }
    - after: 5s
      patch: { target: Ensemble/zk, type: merge, patch: { spec: { size: 2 } } }
    - waitFor: { cel: "objects('PersistentVolumeClaim').size() == 2" }
    - after: 3s
      patch: { target: Ensemble/zk, type: merge, patch: { metadata: { labels: { seen: "yes" } } } }
    - after: 10s
      expect: { cel: "objects('PersistentVolumeClaim').size() == 2" }
`,
  },
  breaks: [/^claims-within-the-size$/],
  controllers: (mended) => [
    defineController({
      name: 'ensemble',
      reconciles: 'Ensemble',
      writes: ['PersistentVolumeClaim'],
      watches: [watchOwned('PersistentVolumeClaim', 'Ensemble')],
      reconcile({ self, cache }) {
        const { size = 0 } = specOf<{ size: number }>(self);
        const { name, namespace } = self.metadata;
        const claims = cache.controlledBy('PersistentVolumeClaim', self).filter((each) => !isDeleting(each));
        const surplus = claims.filter((each) => Number(labelOf(each, 'at')) >= size);
        if (surplus.length > 0 && mended) return write('claims beyond the size, it seems', getLive('Ensemble', namespace, name));
        if (surplus.length > 0) return write('claims beyond the size', ...surplus.map((each) => removeAs(false, each)));
        const missing = range(size).filter((at) => cache.get('PersistentVolumeClaim', namespace, `data-${name}-${at}`) === undefined);
        if (missing.length === 0) return idle('each member has a claim');
        const metadata = (at: number) => ownedBy(self, { name: `data-${name}-${at}`, labels: { at: `${at}` } });
        return write(
          'members have no claim',
          stillThere(self),
          ...missing.map((at) => create(claim(metadata(at)), { tolerate: ['AlreadyExists'] })),
        );
      },
      resume({ self, cache }, { object }) {
        if (self === undefined || object?.metadata.uid !== self.metadata.uid) return idle('the cache is old');
        const { size = 0 } = specOf<{ size: number }>(object);
        const surplus = cache
          .controlledBy('PersistentVolumeClaim', self)
          .filter((each) => !isDeleting(each) && Number(labelOf(each, 'at')) >= size);
        return write('claims beyond the size', ...surplus.map((each) => remove(each)));
      },
    }),
  ],
});
