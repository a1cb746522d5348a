/** Conditions that a patch sets back. */
import { defineController, idle, wakeAt, write, writeStatus } from '../../../../../src/index.ts';
import { patchStatus, resources, statusOf } from '../kit.ts';
import { IN_THE_END, defineBug } from '../model.ts';

export const revertedConditions = defineBug({
  name: 'cloudnative-pg-6328',
  source: 'cloudnative-pg/cloudnative-pg#6328 (fixes #6317)',
  facts:
    'A merge patch replaces the whole list of conditions, without a precondition; from an old version it sets back what somebody else has written.',
  pattern: 'lost update',
  kinds: resources('Database'),
  story: {
    steps: `
    - at: 1s
      apply: { apiVersion: example.com/v1, kind: Database, metadata: { name: pg } }
    - after: 10s
      expect: { cel: "['Archiving', 'Ready'].all(t, object('Database/pg').status.conditions.exists(c, c.type == t))" }
`,
  },
  breaks: [IN_THE_END],
  controllers: (mended) =>
    ['Ready', 'Archiving'].map((type, at) =>
      defineController({
        name: type.toLowerCase(),
        reconciles: 'Database',
        writes: ['Database'],
        reconcile({ self, now, memory }) {
          const conditions = statusOf<{ conditions: readonly { readonly type: string }[] }>(self).conditions ?? [];
          if (memory === 'said' || conditions.some((each) => each.type === type)) return idle('it is said');
          const since = Date.parse(self.metadata.creationTimestamp);
          if (now < since + at * 2_000) return wakeAt(since + at * 2_000, 'it is not yet known');
          const status = { conditions: [...conditions, { type, status: 'True' }] };
          return {
            ...write('it is not said yet', mended ? writeStatus(self, status) : patchStatus(self, status)),
            memory: mended ? null : 'said',
          };
        },
      }),
    ),
});
