/** Conditions that say which wish they are about. */
import { defineController, idle, write, writeStatus } from '../../../../src/index.ts';
import { resources, specOf, statusOf } from '../bugs/kit.ts';
import { defineCorrect, livesOf } from './model.ts';

export const observedGeneration = defineCorrect({
  name: 'observed-generation',
  idiom: 'The condition carries the generation it was computed from, and is never written for an older one.',
  kinds: resources('Order'),
  stories: livesOf({
    kind: 'Order',
    spec: '{ items: 1 }',
    changed: '{ items: 2 }',
    present: "object('Order/x').status.observedGeneration == object('Order/x').metadata.generation && object('Order/x').status.items == 1",
    afterwards:
      "object('Order/x').status.observedGeneration == object('Order/x').metadata.generation && object('Order/x').status.items == 2",
    gone: "objects('Order').size() == 0",
    invariants: [
      `{ name: never-backwards, foreach: Order, always: "old == null || !has(old.status.observedGeneration) || self.status.observedGeneration >= old.status.observedGeneration" }`,
    ],
  }),
  controllers: () => [
    defineController({
      name: 'order',
      reconciles: 'Order',
      writes: ['Order'],
      reconcile({ self }) {
        const { generation = 0 } = self.metadata;
        if (statusOf<{ observedGeneration: number }>(self).observedGeneration === generation) return idle('the order is known');
        return write(
          'the order is new',
          writeStatus(self, { observedGeneration: generation, items: specOf<{ items: number }>(self).items ?? 0 }),
        );
      },
    }),
  ],
});
