/** A run that is in the list without a name. */
import { create, defineController, idle, write, writeStatus } from '../../../../../src/index.ts';
import { awaitedStatus, custom, ownedBy, resources, specOf, statusOf, stillThere, watchOwned } from '../kit.ts';
import { IN_THE_END, defineBug } from '../model.ts';

export const namelessRun = defineBug({
  name: 'cron-job-112275',
  source: 'kubernetes/kubernetes#112275 (also #112116)',
  facts:
    'The Job is created and the write of the status fails; the next round is told that it exists, puts an empty reference into the list of active runs, and waits for it for ever.',
  pattern: 'lost response',
  kinds: resources('Timer', 'Run'),
  story: {
    steps: `
    - at: 1s
      apply: { apiVersion: example.com/v1, kind: Timer, metadata: { name: hourly }, spec: { runs: 2 } }
    - waitFor: { match: { kind: Run, metadata: { name: hourly-0 } } }
    - after: 3s
      patch: { target: Run/hourly-0, type: merge, subresource: status, patch: { status: { done: true } } }
    - after: 10s
      expect: { match: { kind: Run, metadata: { name: hourly-1 } } }
`,
  },
  breaks: [IN_THE_END],
  controllers: (mended) => [
    defineController({
      name: 'timer',
      reconciles: 'Timer',
      writes: ['Timer', 'Run'],
      watches: [watchOwned('Run', 'Timer')],
      reconcile({ self, cache, expectationsSatisfied }) {
        if (!expectationsSatisfied) return idle('it waits to see its own writes');
        const { active, count = 0 } = statusOf<{ active: string; count: number }>(self);
        if (active !== undefined) {
          const run = cache.get('Run', self.metadata.namespace, active);
          if (run === undefined || statusOf<{ done: boolean }>(run).done !== true) return idle('it waits for the run');
          return write('the run is done', writeStatus(self, { count: count + 1 }));
        }
        if (count >= (specOf<{ runs: number }>(self).runs ?? 0)) return idle('all runs are done');
        return write(
          'a run is due',
          stillThere(self),
          create(custom('Run', ownedBy(self, { name: `${self.metadata.name}-${count}` })), { tolerate: ['AlreadyExists'], resume: true }),
        );
      },
      resume({ self }, { write: asked, object }) {
        if (self === undefined) return idle('it is gone');
        const { count = 0 } = statusOf<{ count: number }>(self);
        const wanted = `${self.metadata.name}-${count}`;
        if (mended && (asked.op !== 'create' || asked.object.metadata.name !== wanted)) return idle('the cache has moved on');
        return write('the run is active', awaitedStatus(self, { count, active: object?.metadata.name ?? (mended ? wanted : '') }));
      },
    }),
  ],
});
