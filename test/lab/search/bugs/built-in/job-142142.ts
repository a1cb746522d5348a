/** A controller that holds on to the first of two namesakes. */
import { create, defineController, idle, write } from '../../../../../src/index.ts';
import { custom, labelOf, ownedBy, resources, stillThere, watchOwned } from '../kit.ts';
import { IN_THE_END, defineBug } from '../model.ts';

export const firstOfTwo = defineBug({
  name: 'job-142142',
  source: 'kubernetes/kubernetes#142142',
  facts:
    'A Job is deleted and made again under its name while its controller is at work; the controller goes on with the uid of the first one, and the second never gets a pod.',
  pattern: 'name reuse',
  kinds: resources('Work', 'Runner'),
  story: {
    steps: `
    - at: 1s
      apply: { apiVersion: example.com/v1, kind: Work, metadata: { name: one } }
    - at: 6s
      delete: Work/one
    - waitFor: { absent: Work/one }
    - after: 1s
      apply: { apiVersion: example.com/v1, kind: Work, metadata: { name: one } }
    - after: 10s
      expect: { cel: "objects('Runner').map(r, r.metadata.labels.of) == [object('Work/one').metadata.uid]" }
`,
  },
  breaks: [IN_THE_END, /^no starvation$/, /^the cluster settles$/],
  controllers: (mended) => [
    defineController<'Work', { readonly uid: string }, unknown>({
      name: 'work',
      reconciles: 'Work',
      writes: ['Runner'],
      watches: [watchOwned('Runner', 'Work')],
      reconcile({ self, cache, memory }) {
        // It counts under the uid with which it began.
        const uid = mended ? self.metadata.uid : (memory?.uid ?? self.metadata.uid);
        const mine = cache.list('Runner', self.metadata.namespace).filter((each) => labelOf(each, 'of') === uid);
        if (mine.length > 0) return { ...idle('its runner is there'), memory: { uid } };
        const name = `${self.metadata.name}-${uid.slice(0, 8)}`;
        const made = create(custom('Runner', ownedBy(self, { name, labels: { of: uid } })), { tolerate: ['AlreadyExists'] });
        return { ...write('it has no runner', stillThere({ ...self, metadata: { ...self.metadata, uid } }), made), memory: { uid } };
      },
      reconcileAbsent: () => ({ ...idle('it has gone'), memory: null }),
    }),
  ],
});
