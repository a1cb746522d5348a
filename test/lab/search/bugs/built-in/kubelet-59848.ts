/** A pod that runs twice. */
import { create, defineController, idle, remove, write } from '../../../../../src/index.ts';
import { beside, custom, resources, specOf, stillThere, watchLabelled } from '../kit.ts';
import { defineBug } from '../model.ts';

export const runsTwice = defineBug({
  name: 'kubelet-59848',
  source: 'kubernetes/kubernetes#59848',
  facts:
    'A node agent restarts with an old list, in which a pod that has moved to another node is still its own, and starts it a second time.',
  pattern: 'time travel',
  missed: 'a restart of the agent with an old list',
  kinds: resources('Instance', 'Process'),
  story: {
    invariants: [`{ name: one-process-an-instance, always: "objects('Process').size() <= 1" }`],
    steps: `
    - at: 1s
      apply: { apiVersion: example.com/v1, kind: Instance, metadata: { name: db-0 }, spec: { host: a } }
    - waitFor: { match: { kind: Process, metadata: { name: db-0-a } } }
    - after: 5s
      delete: Instance/db-0
    - waitFor: { cel: "objects('Process').size() == 0 && objects('Instance').size() == 0" }
    - after: 2s
      apply: { apiVersion: example.com/v1, kind: Instance, metadata: { name: db-0 }, spec: { host: b } }
    - waitFor: { match: { kind: Process, metadata: { name: db-0-b } } }
    - after: 4s
      patch: { target: Instance/db-0, type: merge, patch: { metadata: { labels: { seen: "yes" } } } }
    - after: 10s
      expect: { match: { kind: Process, metadata: { name: db-0-b } } }
`,
  },
  breaks: [/^one-process-an-instance$/],
  takes: [`{ at: "decide controller-manager agent-b default/db-0 w1+2", crash: before, restartAfter: 1ms, staleBy: 11054ms }`],
  controllers: (mended) =>
    ['a', 'b'].map((host) =>
      defineController({
        name: `agent-${host}`,
        reconciles: 'Instance',
        writes: ['Process'],
        watches: [watchLabelled('Process', 'instance')],
        reconcile({ self, cache }) {
          const name = `${self.metadata.name}-${host}`;
          const running = cache.get('Process', self.metadata.namespace, name);
          if (specOf<{ host: string }>(self).host !== host)
            return running === undefined ? idle('it is not mine') : write('it is not mine', remove(running));
          if (running !== undefined) return idle('it runs');
          const made = create(custom('Process', beside(self, { name, labels: { instance: self.metadata.name } })), {
            tolerate: ['AlreadyExists'],
          });
          return write('it is to run here', ...(mended ? [stillThere(self)] : []), made);
        },
        reconcileAbsent({ cache, key }) {
          const [namespace, of] = key.split('/');
          const running = cache.get('Process', namespace, `${of ?? ''}-${host}`);
          return running === undefined ? idle('it is gone') : write('it is gone', remove(running));
        },
      }),
    ),
});
