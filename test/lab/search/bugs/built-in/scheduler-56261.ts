/** A placement on a node that no longer exists. */
import { defineController, idle, write, writeStatus } from '../../../../../src/index.ts';
import { resources, statusOf, watchForAll } from '../kit.ts';
import { IN_THE_END, defineBug } from '../model.ts';

export const goneHost = defineBug({
  name: 'scheduler-56261',
  source: 'kubernetes/kubernetes#56261 and #94437, described in the paper on partial histories of the authors of Sieve',
  facts: 'The cache of the scheduler misses the deletion of a node; it places pods on that node, and they wait for ever.',
  pattern: 'stale read',
  kinds: resources('Task', 'Host'),
  story: {
    steps: `
    - at: 1s
      apply:
        - { apiVersion: example.com/v1, kind: Host, metadata: { name: a } }
        - { apiVersion: example.com/v1, kind: Host, metadata: { name: b } }
    - at: 8s
      delete: Host/a
    - after: 2s
      apply: { apiVersion: example.com/v1, kind: Task, metadata: { name: t } }
    - after: 10s
      expect: { cel: "object('Task/t').status.host == 'b'" }
`,
  },
  breaks: [IN_THE_END],
  controllers: (mended) => [
    defineController({
      name: 'placer',
      reconciles: 'Task',
      writes: ['Task'],
      watches: [watchForAll('Host', 'Task')],
      reconcile({ self, cache }) {
        const { host } = statusOf<{ host: string }>(self);
        const hosts = cache.list('Host', self.metadata.namespace).map(({ metadata }) => metadata.name);
        if (host !== undefined && (!mended || hosts.includes(host))) return idle('it has its place');
        const [free] = hosts;
        return free === undefined ? idle('there is no host') : write('it needs a place', writeStatus(self, { host: free }));
      },
    }),
  ],
});
