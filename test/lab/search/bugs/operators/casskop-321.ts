/** A budget that is deleted and made again by an old wish. */
import { create, defineController, idle, write } from '../../../../../src/index.ts';
import { annotationOf, onDeletion, ownedBy, removeAs, resources, specOf, stillThere, watchOwned } from '../kit.ts';
import { defineBug } from '../model.ts';

export const restoredBudget = defineBug({
  name: 'casskop-321',
  source: 'Orange-OpenSource/casskop#321',
  facts: 'It replaces the disruption budget when it differs from the spec; an old spec beside a new budget makes it delete the right one.',
  pattern: 'stale read',
  kinds: resources('Datacenter'),
  invariants: [
    onDeletion('a-right-budget-stays', 'PodDisruptionBudget', 'it was what the spec asks for', (gone, list) =>
      list('Datacenter').every((each) => annotationOf(gone, 'max') !== `${specOf<{ max: number }>(each).max}`),
    ),
  ],
  story: {
    steps: `
    - at: 1s
      apply: { apiVersion: example.com/v1, kind: Datacenter, metadata: { name: dc }, spec: { max: 1 } }
    - at: 10s
      patch: { target: Datacenter/dc, type: merge, patch: { spec: { max: 2 } } }
    - after: 10s
      patch: { target: Datacenter/dc, type: merge, patch: { metadata: { labels: { seen: "yes" } } } }
    - after: 10s
      expect: { cel: "object('PodDisruptionBudget/dc').metadata.annotations.max == '2'" }
`,
  },
  breaks: [/^a-right-budget-stays$/],
  controllers: (mended) => [
    defineController({
      name: 'datacenter',
      reconciles: 'Datacenter',
      writes: ['PodDisruptionBudget'],
      watches: [watchOwned('PodDisruptionBudget', 'Datacenter')],
      reconcile({ self, cache }) {
        const { name, namespace, generation = 0 } = self.metadata;
        const { max = 0 } = specOf<{ max: number }>(self);
        const budget = cache.get('PodDisruptionBudget', namespace, name);
        if (budget !== undefined) {
          if (annotationOf(budget, 'max') === `${max}`) return idle('the budget is right');
          if (mended && Number(annotationOf(budget, 'generation')) > generation) return idle('the budget is newer than what is known');
          return write('the budget is wrong', removeAs(mended, budget));
        }
        const metadata = ownedBy(self, { name, annotations: { max: `${max}`, generation: `${generation}` } });
        const spec = { maxUnavailable: max, selector: { matchLabels: { app: name } } };
        return write(
          'there is no budget',
          stillThere(self),
          create({ apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata, spec }, { tolerate: ['AlreadyExists'] }),
        );
      },
    }),
  ],
});
