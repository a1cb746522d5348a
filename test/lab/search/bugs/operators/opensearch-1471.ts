/** A quorum guard that does not see its own disruption. */
import { create, defineController, idle, remove, write } from '../../../../../src/index.ts';
import { custom, listLive, ownedBy, range, resources, specOf, stillThere, watchOwned } from '../kit.ts';
import { defineBug } from '../model.ts';

export const unseenDisruption = defineBug({
  name: 'opensearch-1471',
  source: 'opensearch-project/opensearch-k8s-operator#1471',
  facts:
    'It restarts a manager when the cache shows all managers ready; right behind its own deletion the cache still shows that, and a second manager goes.',
  pattern: 'own write unseen',
  kinds: resources('Search', 'Manager'),
  story: {
    invariants: [
      `{ name: a-quorum-stays, where: "true", foreach: Search, always: "!has(self.status.whole) || objects('Manager').size() >= 2" }`,
    ],
    steps: `
    - at: 1s
      apply: { apiVersion: example.com/v1, kind: Search, metadata: { name: os }, spec: { version: v1 } }
    - waitFor: { cel: "objects('Manager').size() == 3" }
    - after: 2s
      patch: { target: Search/os, type: merge, subresource: status, patch: { status: { whole: true } } }
    - after: 2s
      patch: { target: Search/os, type: merge, patch: { spec: { version: v2 } } }
    - after: 10s
      expect: { cel: "objects('Manager').size() == 3 && objects('Manager').all(m, m.spec.version == 'v2')" }
`,
  },
  breaks: [/^a-quorum-stays$/],
  controllers: (mended) => [
    defineController({
      name: 'search',
      reconciles: 'Search',
      writes: ['Manager'],
      watches: [watchOwned('Manager', 'Search')],
      reconcile({ self, cache }) {
        const { version = '' } = specOf<{ version: string }>(self);
        const managers = cache.controlledBy('Manager', self);
        const missing = range(3).filter((at) => !managers.some(({ metadata }) => metadata.name === `${self.metadata.name}-${at}`));
        if (missing.length > 0) {
          const made = missing.map((at) =>
            create(custom('Manager', ownedBy(self, { name: `${self.metadata.name}-${at}` }), { version }), { tolerate: ['AlreadyExists'] }),
          );
          return write('managers are missing', stillThere(self), ...made);
        }
        const [old] = managers.filter((each) => specOf<{ version: string }>(each).version !== version);
        if (old === undefined) return idle('all managers are new');
        return mended ? write('one is old, it seems', listLive('Manager', self)) : write('all are there, one is old', remove(old));
      },
      resume({ self }, { objects = [] }) {
        if (self === undefined || objects.length < 3) return idle('one is already away');
        const [old] = objects.filter((each) => specOf<{ version: string }>(each).version !== specOf<{ version: string }>(self).version);
        return old === undefined ? idle('all managers are new') : write('all are there, one is old', remove(old));
      },
    }),
  ],
});
