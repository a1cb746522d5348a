/** A node that stays decommissioned because the wish was withdrawn. */
import { type ApiObject, create, defineController, idle, remove, update, type Write, write } from '../../../../../src/index.ts';
import { custom, ownedBy, range, resources, specOf, stillThere, watchOwned } from '../kit.ts';
import { IN_THE_END, defineBug } from '../model.ts';

export const halfScaled = defineBug({
  name: 'cassandra-410',
  source: 'instaclustr/cassandra-operator#410',
  facts:
    'It marks a node for its departure in one round and deletes it in the next; if the size is raised again between the two, nobody takes the mark back.',
  pattern: 'unobserved state',
  kinds: resources('Ring', 'Member'),
  story: {
    steps: `
    - at: 1s
      apply: { apiVersion: example.com/v1, kind: Ring, metadata: { name: ring }, spec: { size: 3 } }
    - at: 10s
      patch: { target: Ring/ring, type: merge, patch: { spec: { size: 2 } } }
    - after: 4s
      patch: { target: Ring/ring, type: merge, patch: { spec: { size: 3 } } }
    - after: 10s
      expect: { cel: "objects('Member').size() == 3 && objects('Member').all(m, m.spec.leaving == false)" }
`,
  },
  breaks: [IN_THE_END],
  controllers: (mended) => [
    defineController({
      name: 'ring',
      reconciles: 'Ring',
      writes: ['Member'],
      watches: [watchOwned('Member', 'Ring')],
      reconcile({ self, cache, expectationsSatisfied }) {
        if (!expectationsSatisfied) return idle('it waits to see its own writes');
        const { size = 0 } = specOf<{ size: number }>(self);
        const members = cache.controlledBy('Member', self);
        const leaving = members.filter((each) => specOf<{ leaving: boolean }>(each).leaving === true);
        const mark = (member: ApiObject, value: boolean): Write =>
          update(member, (draft) => {
            draft['spec'] = { leaving: value };
          });
        if (members.length > size) {
          if (leaving.length > 0) return write('it has left', ...leaving.map((each) => remove(each)));
          return write('one must leave', ...members.slice(size).map((each) => mark(each, true)));
        }
        if (mended && leaving.length > 0) return write('it need not leave', ...leaving.map((each) => mark(each, false)));
        const missing = range(size).filter((at) => !members.some(({ metadata }) => metadata.name === `${self.metadata.name}-${at}`));
        if (missing.length === 0) return idle('the ring is complete');
        return write(
          'members are missing',
          stillThere(self),
          ...missing.map((at) =>
            create(custom('Member', ownedBy(self, { name: `${self.metadata.name}-${at}` }), { leaving: false }), {
              tolerate: ['AlreadyExists'],
            }),
          ),
        );
      },
    }),
  ],
});
