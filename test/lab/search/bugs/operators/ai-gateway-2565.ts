/** A conflict that nobody hears of. */
import { defineController, idle, write } from '../../../../../src/index.ts';
import { addFinalizer, dropFinalizer, hasFinalizer, isDeleting, resources } from '../kit.ts';
import { IN_THE_END, defineBug } from '../model.ts';

export const swallowedConflict = defineBug({
  name: 'ai-gateway-2565',
  source: 'envoyproxy/ai-gateway#2565 (also pulumi/pulumi-kubernetes-operator#1060)',
  facts:
    'The removal of the finalizer meets a conflict, the error is swallowed and nothing is queued again: the object stays in deletion for ever.',
  pattern: 'conflict not retried',
  kinds: resources('Route'),
  story: {
    steps: `
    - at: 1s
      apply: { apiVersion: example.com/v1, kind: Route, metadata: { name: ai } }
    - at: 5s
      delete: Route/ai
    - after: 10s
      expect: { cel: "objects('Route').size() == 0" }
`,
  },
  breaks: [IN_THE_END],
  controllers: (mended) => [
    defineController({
      name: 'route',
      reconciles: 'Route',
      writes: ['Route'],
      reconcile({ self }) {
        if (isDeleting(self)) return hasFinalizer(self) ? write('nothing is left of it', dropFinalizer(self)) : idle('others hold it');
        return hasFinalizer(self) ? idle('it is held') : write('the finalizer is missing', addFinalizer(self));
      },
      recover: (_, { status }) => (mended || status.reason !== 'Conflict' ? undefined : idle('somebody else has changed it')),
    }),
  ],
});
