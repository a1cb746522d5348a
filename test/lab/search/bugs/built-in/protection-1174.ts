/** Protection that does not know the newest user. */
import { defineController, idle, write } from '../../../../../src/index.ts';
import {
  FINALIZER,
  addFinalizer,
  dropFinalizer,
  hasFinalizer,
  isDeleting,
  listLive,
  onDeletion,
  resources,
  specOf,
  watchForAll,
} from '../kit.ts';
import { defineBug } from '../model.ts';

export const unknownUser = defineBug({
  name: 'protection-1174',
  source: 'the race noted in kubernetes/community#1174, on claims in use by pods',
  facts: 'The protection of a claim is lifted when the cache shows no pod that uses it; a pod that has just been made is not in the cache.',
  pattern: 'unverified absence',
  kinds: resources('Claim', 'User'),
  invariants: [
    onDeletion(
      'used-claims-stay',
      'Claim',
      'somebody used it',
      (gone, list) => !list('User').some((each) => specOf<{ claim: string }>(each).claim === gone.metadata.name),
    ),
  ],
  story: {
    steps: `
    - at: 1s
      apply: { apiVersion: example.com/v1, kind: Claim, metadata: { name: data } }
    - waitFor: { cel: "object('Claim/data').?metadata.?finalizers.orValue([]).exists(f, f == '${FINALIZER}')" }
    - after: 5s
      apply: { apiVersion: example.com/v1, kind: User, metadata: { name: app }, spec: { claim: data } }
    - after: 1s
      delete: Claim/data
    - after: 15s
      delete: User/app
    - after: 10s
      expect: { absent: Claim/data }
`,
  },
  breaks: [/^used-claims-stay$/],
  controllers: (mended) => [
    defineController({
      name: 'protection',
      reconciles: 'Claim',
      writes: ['Claim'],
      watches: [watchForAll('User', 'Claim')],
      reconcile({ self, cache }) {
        const isUsed = cache
          .list('User', self.metadata.namespace)
          .some((each) => specOf<{ claim: string }>(each).claim === self.metadata.name);
        if (!isDeleting(self)) return hasFinalizer(self) ? idle('it is protected') : write('it is not protected', addFinalizer(self));
        if (!hasFinalizer(self) || isUsed) return idle('it is in use');
        return mended ? write('nobody uses it, it seems', listLive('User', self)) : write('nobody uses it', dropFinalizer(self));
      },
      resume({ self }, { objects = [] }) {
        if (self === undefined || objects.some((each) => specOf<{ claim: string }>(each).claim === self.metadata.name))
          return idle('it is in use');
        return write('nobody uses it', dropFinalizer(self));
      },
    }),
  ],
});
