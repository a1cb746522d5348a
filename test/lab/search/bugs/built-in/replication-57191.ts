/** Children that come while their owner goes. */
import { create, defineController, idle, write } from '../../../../../src/index.ts';
import { custom, isDeleting, ownedBy, range, resources, specOf, stillThere, watchOwned } from '../kit.ts';
import { defineBug } from '../model.ts';

export const madeWhileDeleted = defineBug({
  name: 'replication-57191',
  source: 'kubernetes/kubernetes#57191',
  facts: 'A controller whose object is being deleted sees the pods go before it sees the deletion, and replaces each of them.',
  pattern: 'stale read',
  kinds: resources('Replica', 'Unit'),
  story: {
    invariants: [
      `{ name: nothing-new-while-deleted, foreach: Unit, always: "old != null || !objects('Replica').exists(r, r.metadata.uid == self.metadata.?labels.?of.orValue('') && has(r.metadata.deletionTimestamp))" }`,
    ],
    steps: `
    - at: 1s
      apply: { apiVersion: example.com/v1, kind: Replica, metadata: { name: rc }, spec: { size: 2 } }
    - waitFor: { cel: "objects('Unit').size() == 2" }
    - after: 5s
      delete: { target: Replica/rc, propagationPolicy: Foreground }
    - after: 1s
      delete: { target: Unit/rc-0, ignoreNotFound: true }
    - after: 10s
      expect: { cel: "objects('Unit').size() == 0 && objects('Replica').size() == 0" }
`,
  },
  breaks: [/^nothing-new-while-deleted$/],
  controllers: (mended) => [
    defineController({
      name: 'replica',
      reconciles: 'Replica',
      writes: ['Unit'],
      watches: [watchOwned('Unit', 'Replica')],
      reconcile({ self, cache, expectationsSatisfied }) {
        if (isDeleting(self)) return idle('it is being deleted');
        if (!expectationsSatisfied) return idle('it waits to see its own writes');
        const { name, uid } = self.metadata;
        const units = cache.controlledBy('Unit', self);
        const missing = range(specOf<{ size: number }>(self).size ?? 0).filter(
          (at) => !units.some(({ metadata }) => metadata.name === `${name}-${at}`),
        );
        if (missing.length === 0) return idle('all units are there');
        const made = missing.map((at) =>
          create(custom('Unit', ownedBy(self, { name: `${name}-${at}`, labels: { of: uid } })), { tolerate: ['AlreadyExists'] }),
        );
        return write('units are missing', ...(mended ? [stillThere(self)] : []), ...made);
      },
    }),
  ],
});
