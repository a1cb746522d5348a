/** Two controllers that write one status. */
import { defineController, idle, write, writeStatus } from '../../../../src/index.ts';
import { resources, specOf, statusOf } from '../bugs/kit.ts';
import { defineCorrect, livesOf } from './model.ts';

export const twoWriters = defineCorrect({
  name: 'two-writers',
  idiom: 'Each sets its own condition, and writes the list with the revision that it has read.',
  kinds: resources('Machine'),
  stories: livesOf({
    kind: 'Machine',
    spec: '{ size: 1 }',
    changed: '{ size: 2 }',
    present: "['Ready', 'Safe'].all(t, object('Machine/x').status.conditions.exists(c, c.type == t && c.size == 1))",
    afterwards: "['Ready', 'Safe'].all(t, object('Machine/x').status.conditions.exists(c, c.type == t && c.size == 2))",
    gone: "objects('Machine').size() == 0",
  }),
  controllers: () =>
    ['Ready', 'Safe'].map((type) =>
      defineController({
        name: type.toLowerCase(),
        reconciles: 'Machine',
        writes: ['Machine'],
        reconcile({ self }) {
          const { size = 0 } = specOf<{ size: number }>(self);
          const conditions = statusOf<{ conditions: readonly { readonly type: string; readonly size: number }[] }>(self).conditions ?? [];
          if (conditions.some((each) => each.type === type && each.size === size)) return idle('it is said');
          return write(
            'it is not said yet',
            writeStatus(self, { conditions: [...conditions.filter((each) => each.type !== type), { type, size }] }),
          );
        },
      }),
    ),
});
