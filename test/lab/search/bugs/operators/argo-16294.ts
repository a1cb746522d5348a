/** A finished workflow that starts again. */
import { create, defineController, idle, remove, write, writeStatus } from '../../../../../src/index.ts';
import { custom, getLive, ownedBy, resources, statusOf, watchOwned } from '../kit.ts';
import { defineBug } from '../model.ts';

export const finishedAgain = defineBug({
  name: 'argo-16294',
  source: 'argoproj/argo-workflows#16294 (also argoproj/argo-workflows#13986)',
  facts:
    'The workflow has completed and its pod is cleaned up; an old version of it arrives from the informer, and the pod is created again.',
  pattern: 'stale read',
  missed: 'an old version of the object that arrives after its end',
  kinds: resources('Workflow', 'StepPod'),
  story: {
    invariants: [
      `{ name: nothing-after-the-end, foreach: StepPod, always: "old != null || objects('Workflow').all(w, !has(w.status.phase) || w.status.phase != 'Succeeded')" }`,
    ],
    steps: `
    - at: 1s
      apply: { apiVersion: example.com/v1, kind: Workflow, metadata: { name: wf } }
    - waitFor: { match: { kind: StepPod, metadata: { name: wf } } }
    - after: 2s
      patch: { target: StepPod/wf, type: merge, subresource: status, patch: { status: { done: true } } }
    - after: 10s
      expect: { cel: "object('Workflow/wf').status.phase == 'Succeeded' && objects('StepPod').size() == 0" }
`,
  },
  breaks: [/^nothing-after-the-end$/],
  takes: [`{ at: "decide controller-manager workflow default/wf w3+1", crash: before, restartAfter: 1ms, staleBy: 2054ms }`],
  controllers: (mended) => [
    defineController({
      name: 'workflow',
      reconciles: 'Workflow',
      writes: ['Workflow', 'StepPod'],
      watches: [watchOwned('StepPod', 'Workflow')],
      reconcile({ self, cache }) {
        const { name, namespace } = self.metadata;
        const step = cache.get('StepPod', namespace, name);
        if (statusOf<{ phase: string }>(self).phase === 'Succeeded')
          return step === undefined ? idle('it has succeeded') : write('its pod is not needed any more', remove(step));
        if (step === undefined) {
          if (mended) return write('its pod is missing, it seems', getLive('Workflow', namespace, name));
          return write('its pod is missing', create(custom('StepPod', ownedBy(self, { name })), { tolerate: ['AlreadyExists'] }));
        }
        if (statusOf<{ done: boolean }>(step).done !== true) return idle('its pod runs');
        return write('its pod is done', writeStatus(self, { phase: 'Succeeded' }));
      },
      resume({ self }, { object }) {
        if (self === undefined || object?.metadata.uid !== self.metadata.uid || statusOf<{ phase: string }>(object).phase !== undefined)
          return idle('the cache is old');
        return write(
          'its pod is missing',
          create(custom('StepPod', ownedBy(self, { name: self.metadata.name })), { tolerate: ['AlreadyExists'] }),
        );
      },
    }),
  ],
});
