/** Adoption by a label. */
import { type ApiObject, defineController, idle, update, type Write, write } from '../../../../src/index.ts';
import { isDeleting, labelOf, ownedBy, resources, specOf, stillThere, watchForAll } from '../bugs/kit.ts';
import { defineCorrect, livesOf } from './model.ts';

export const adoption = defineCorrect({
  name: 'adoption',
  idiom:
    'Before it adopts it asks the server whether its object is there and not deleted, and the adoption has the revision of the orphan.',
  kinds: resources('Herd', 'Sheep'),
  stories: livesOf({
    kind: 'Herd',
    spec: '{ mark: red }',
    changed: '{ mark: blue }',
    given: [
      '{ apiVersion: example.com/v1, kind: Sheep, metadata: { name: dolly, labels: { mark: red } } }',
      '{ apiVersion: example.com/v1, kind: Sheep, metadata: { name: shaun, labels: { mark: blue } } }',
    ],
    present:
      "objects('Sheep').filter(s, s.metadata.?ownerReferences.orValue([]).size() > 0).map(s, s.metadata.name) == ['dolly'] || objects('Sheep').map(s, s.metadata.name) == ['shaun']",
    afterwards: "objects('Sheep').filter(s, s.metadata.?ownerReferences.orValue([]).size() > 0).map(s, s.metadata.name) == ['shaun']",
    gone: "objects('Sheep').map(s, s.metadata.name) == ['shaun']",
  }),
  controllers: () => [
    defineController({
      name: 'herd',
      reconciles: 'Herd',
      writes: ['Sheep'],
      watches: [watchForAll('Sheep', 'Herd')],
      reconcile({ self, cache }) {
        if (isDeleting(self)) return idle('it is being deleted');
        const { mark } = specOf<{ mark: string }>(self);
        const { ownerReferences = [] } = ownedBy(self, { name: '' });
        const all = cache.list('Sheep', self.metadata.namespace).filter((each) => !isDeleting(each));
        const adopted = all.filter(({ metadata }) => metadata.ownerReferences?.[0]?.uid === self.metadata.uid);
        const strange = adopted.filter((each) => labelOf(each, 'mark') !== mark);
        const orphans = all.filter((each) => labelOf(each, 'mark') === mark && (each.metadata.ownerReferences ?? []).length === 0);
        if (strange.length === 0 && orphans.length === 0) return idle('the herd is complete');
        const own = (sheep: ApiObject, by: typeof ownerReferences): Write =>
          update(sheep, ({ metadata }) => {
            metadata.ownerReferences = [...by];
          });
        return write(
          'the marks have changed',
          stillThere(self),
          ...strange.map((each) => own(each, [])),
          ...orphans.map((each) => own(each, ownerReferences)),
        );
      },
    }),
  ],
});
