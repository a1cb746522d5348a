/** A lock that outlives its holder. */
import { type ApiObject, defineController, idle, write, writeStatus } from '../../../../../src/index.ts';
import { resources, specOf, statusOf, watchForAll } from '../kit.ts';
import { IN_THE_END, defineBug } from '../model.ts';

export const lockForLife = defineBug({
  name: 'operator-sdk-1305',
  source: 'operator-framework/operator-sdk#1305 (also #1874, operator-lib#158)',
  facts:
    'The lock of a leader for life ends with its pod; a pod that is evicted fails but is not deleted, so the lock stays and nobody leads.',
  pattern: 'unobserved state',
  kinds: resources('Election', 'Candidate'),
  story: {
    steps: `
    - at: 1s
      apply:
        - { apiVersion: example.com/v1, kind: Candidate, metadata: { name: a }, spec: { phase: Running } }
        - { apiVersion: example.com/v1, kind: Candidate, metadata: { name: b }, spec: { phase: Running } }
        - { apiVersion: example.com/v1, kind: Election, metadata: { name: lead } }
    - waitFor: { cel: "has(object('Election/lead').status.leader)" }
    - after: 5s
      patch: { target: Candidate/a, type: merge, patch: { spec: { phase: Failed } } }
    - after: 3s
      patch: { target: Candidate/a, type: merge, patch: { metadata: { labels: { seen: "yes" } } } }
    - after: 5s
      delete: Candidate/a
    - after: 10s
      expect: { cel: "object('Election/lead').status.leader == 'b'" }
`,
  },
  breaks: [IN_THE_END],
  controllers: (mended) => [
    defineController<'Election', unknown, { readonly failed: Set<string> }>({
      name: 'election',
      reconciles: 'Election',
      writes: ['Election'],
      watches: [watchForAll('Candidate', 'Election')],
      start: () => ({ failed: new Set<string>() }),
      // It follows the change of the phase, which a process that starts later does not see.
      observe({ type, kind, object, old }, { state }) {
        if (kind !== 'Candidate' || type !== 'MODIFIED' || old === undefined) return;
        if (specOf<{ phase: string }>(object).phase === 'Failed' && specOf<{ phase: string }>(old).phase === 'Running')
          state.failed.add(object.metadata.name);
      },
      reconcile({ self, cache, state }) {
        const { leader } = statusOf<{ leader: string }>(self);
        const candidates = cache.list('Candidate', self.metadata.namespace);
        const isRunning = (each: ApiObject): boolean => specOf<{ phase: string }>(each).phase === 'Running';
        const holder = candidates.find(({ metadata }) => metadata.name === leader);
        const isLost = mended ? holder === undefined || !isRunning(holder) : leader === undefined || state.failed.has(leader);
        if (!isLost) return idle('the leader leads');
        const next = candidates
          .filter(isRunning)
          .map(({ metadata }) => metadata.name)
          .sort()[0];
        return next === undefined || next === leader
          ? idle('nobody can lead')
          : write('the lock is free', writeStatus(self, { leader: next }));
      },
    }),
  ],
});
