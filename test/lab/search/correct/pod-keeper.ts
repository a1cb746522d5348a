/** A pod that is always there. */
import { create, defineController, idle, remove, write } from '../../../../src/index.ts';
import { isDeleting, ownedBy, pod, resources, stillThere, watchOwned } from '../bugs/kit.ts';
import { defineCorrect, livesOf } from './model.ts';

const KEPT = "objects('Pod').filter(p, !has(p.metadata.deletionTimestamp)).map(p, p.status.phase) == ['Running']";
export const podKeeper = defineCorrect({
  name: 'pod-keeper',
  idiom: 'The pod has a fixed name; a failed one is removed by its uid, and the next is made when the name is free.',
  kinds: resources('Keeper'),
  stories: {
    ...livesOf({ kind: 'Keeper', nodes: 1, present: KEPT, gone: "objects('Pod').size() == 0" }),
    'node-loss': {
      nodes: 2,
      steps: `
    - at: 1s
      apply: { apiVersion: example.com/v1, kind: Keeper, metadata: { name: x } }
    - waitFor: { cel: "${KEPT}" }
    - after: 2s
      fault: { nodeDown: node-0 }
    - after: 20s
      fault: { nodeUp: node-0 }
    - after: 60s
      expect: { cel: "${KEPT}" }
`,
    },
  },
  controllers: () => [
    defineController({
      name: 'keeper',
      reconciles: 'Keeper',
      writes: ['Pod'],
      watches: [watchOwned('Pod', 'Keeper')],
      reconcile({ self, cache }) {
        if (isDeleting(self)) return idle('it is being deleted');
        const { name, namespace, uid } = self.metadata;
        const kept = cache.get('Pod', namespace, name);
        if (kept === undefined) return write('there is no pod', stillThere(self), create(pod(ownedBy(self, { name }))));
        if (kept.metadata.ownerReferences?.[0]?.uid !== uid || isDeleting(kept)) return idle('the name is not free yet');
        return kept.status?.phase === 'Failed' ? write('the pod has failed', remove(kept)) : idle('the pod is there');
      },
    }),
  ],
});
