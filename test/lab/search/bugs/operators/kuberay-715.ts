/** Workers counted in a cache that lags. */
import { create, defineController, idle, remove, write } from '../../../../../src/index.ts';
import { custom, ownedBy, range, resources, specOf, stillThere, watchOwned } from '../kit.ts';
import { defineBug } from '../model.ts';

export const tooManyWorkers = defineBug({
  name: 'kuberay-715',
  source: 'ray-project/kuberay#715 (also llm-d-fast-model-actuation#469, ai-dynamo/grove#122)',
  facts: 'It takes the pods of its cache as the whole truth about what it has created, so a second round creates the same pods again.',
  pattern: 'own write unseen',
  kinds: resources('Ray', 'Worker'),
  story: {
    invariants: [`{ name: workers-within-the-size, always: "objects('Ray').all(r, objects('Worker').size() <= r.spec.workers)" }`],
    steps: `
    - at: 1s
      apply: { apiVersion: example.com/v1, kind: Ray, metadata: { name: ray }, spec: { workers: 2 } }
    - at: 5s
      patch: { target: Ray/ray, type: merge, patch: { spec: { workers: 4 } } }
    - at: 6s
      patch: { target: Ray/ray, type: merge, patch: { metadata: { labels: { seen: "yes" } } } }
    - after: 10s
      expect: { cel: "objects('Worker').size() == 4" }
`,
  },
  breaks: [/^workers-within-the-size$/],
  controllers: (mended) => [
    defineController({
      name: 'ray',
      reconciles: 'Ray',
      writes: ['Worker'],
      watches: [watchOwned('Worker', 'Ray')],
      reconcile({ self, cache }) {
        const { workers = 0 } = specOf<{ workers: number }>(self);
        const present = cache.controlledBy('Worker', self);
        if (present.length > workers) return write('there are workers too many', ...present.slice(workers).map((each) => remove(each)));
        if (present.length === workers) return idle('all workers are there');
        const { name } = self.metadata;
        // With names of its own a second creation of the same worker is refused.
        const free = range(workers).find((at) => !present.some(({ metadata }) => metadata.name === `${name}-${at}`));
        const of = mended ? { name: `${name}-${free ?? 0}` } : { generateName: `${name}-` };
        return write('a worker is missing', stillThere(self), create(custom('Worker', ownedBy(self, of)), { tolerate: ['AlreadyExists'] }));
      },
    }),
  ],
});
