/** A loss while nobody was listening. */
import { create, defineController, idle, write, writeStatus } from '../../../../../src/index.ts';
import { custom, ownedBy, resources, statusOf, stillThere, watchOwned } from '../kit.ts';
import { IN_THE_END, defineBug } from '../model.ts';

export const unheardLoss = defineBug({
  name: 'twingate-161',
  source: 'Twingate/kubernetes-operator#161',
  facts:
    'It makes the pod anew when it hears of its deletion; a deletion while the operator is down is never heard, and at the start nothing looks whether the pod exists.',
  pattern: 'unobserved state',
  kinds: resources('Connector', 'Runner'),
  story: {
    steps: `
    - at: 1s
      apply: { apiVersion: example.com/v1, kind: Connector, metadata: { name: edge } }
    - waitFor: { match: { kind: Connector, metadata: { name: edge }, status: { made: true } } }
    - after: 5s
      delete: Runner/edge
    - after: 10s
      expect: { match: { kind: Runner, metadata: { name: edge } } }
`,
  },
  breaks: [IN_THE_END],
  controllers: (mended) => [
    defineController<'Connector', unknown, { readonly lost: Set<string> }>({
      name: 'connector',
      reconciles: 'Connector',
      writes: ['Connector', 'Runner'],
      watches: [watchOwned('Runner', 'Connector')],
      start: () => ({ lost: new Set<string>() }),
      observe({ type, kind, key }, { state }) {
        if (kind !== 'Runner') return;
        if (type === 'DELETED') state.lost.add(key);
        else state.lost.delete(key);
      },
      reconcile({ self, cache, key, state }) {
        const { name, namespace } = self.metadata;
        const isMade = statusOf<{ made: boolean }>(self).made === true;
        const isMissing = mended ? cache.get('Runner', namespace, name) === undefined : !isMade || state.lost.has(key);
        if (isMissing)
          return write(
            'there is no runner',
            stillThere(self),
            create(custom('Runner', ownedBy(self, { name })), { tolerate: ['AlreadyExists'] }),
            ...(isMade ? [] : [writeStatus(self, { made: true })]),
          );
        return isMade ? idle('the runner is there') : write('the runner is there', writeStatus(self, { made: true }));
      },
    }),
  ],
});
