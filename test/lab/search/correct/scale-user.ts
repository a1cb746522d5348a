/** A user of the scale sub-resource. */
import { defineController, idle, type Write, write } from '../../../../src/index.ts';
import { resources, specOf, stillThere, watchForAll } from '../bugs/kit.ts';
import { defineCorrect, livesOf } from './model.ts';

const WEB =
  '{ apiVersion: apps/v1, kind: Deployment, metadata: { name: web }, spec: { replicas: 1, selector: { matchLabels: { app: web } }, template: { metadata: { labels: { app: web } }, spec: { containers: [{ name: c, image: "c:1" }] } } } }';

export const scaleUser = defineCorrect({
  name: 'scale-user',
  idiom: 'It compares the replicas that it reads with the wish, and patches the scale; the same patch twice does no harm.',
  kinds: resources('Dial'),
  stories: {
    ...livesOf({
      kind: 'Dial',
      nodes: 1,
      spec: '{ replicas: 1 }',
      larger: '{ replicas: 3 }',
      given: [WEB],
      present: "object('Deployment/web').spec.replicas == 1",
      scaled: "object('Deployment/web').status.readyReplicas == 3",
      gone: "object('Deployment/web').spec.replicas == 1",
    }),
    'node-loss': {
      nodes: 2,
      steps: `
    - apply: ${WEB}
    - at: 1s
      apply: { apiVersion: example.com/v1, kind: Dial, metadata: { name: x }, spec: { replicas: 2 } }
    - waitFor: { cel: "object('Deployment/web').status.readyReplicas == 2" }
    - after: 2s
      fault: { nodeDown: node-0 }
    - after: 20s
      fault: { nodeUp: node-0 }
    - after: 60s
      expect: { cel: "object('Deployment/web').status.readyReplicas == 2" }
`,
    },
  },
  controllers: () => [
    defineController({
      name: 'dial',
      reconciles: 'Dial',
      writes: ['Deployment'],
      watches: [watchForAll('Deployment', 'Dial')],
      reconcile({ self, cache }) {
        const { replicas = 1 } = specOf<{ replicas: number }>(self);
        const { namespace } = self.metadata;
        const web = cache.get('Deployment', namespace, 'web');
        if (web === undefined || web.spec?.replicas === replicas) return idle('it has its size');
        const scaled: Write = {
          op: 'patch',
          kind: 'Deployment',
          ...(namespace === undefined ? {} : { namespace }),
          name: 'web',
          patchType: 'merge',
          subresource: 'scale',
          patch: { spec: { replicas } },
        };
        return write('the size differs', stillThere(self), scaled);
      },
    }),
  ],
});
