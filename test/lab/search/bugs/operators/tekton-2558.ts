/** A run that forgets what it has started. */
import { create, defineController, idle, watch, watchOnly, write, writeStatus } from '../../../../../src/index.ts';
import { custom, ownedBy, resources, statusOf, stillThere, watchOwned } from '../kit.ts';
import { defineBug } from '../model.ts';

export const orphanedRuns = defineBug({
  name: 'tekton-2558',
  source: 'tektoncd/pipeline#2558 (also tektoncd/pipeline#3126)',
  facts:
    'It finds its tasks by its own status alone; when the write of the status fails after the task was started, it starts the task again.',
  pattern: 'crash between writes',
  kinds: resources('PipelineRun', 'TaskRun'),
  story: {
    invariants: [`{ name: each-task-once, always: "objects('TaskRun').size() <= 1" }`],
    steps: `
    - at: 1s
      apply: { apiVersion: example.com/v1, kind: PipelineRun, metadata: { name: build } }
    - at: 3s
      patch: { target: PipelineRun/build, type: merge, patch: { metadata: { labels: { seen: "yes" } } } }
    - after: 10s
      expect: { cel: "has(object('PipelineRun/build').status.task)" }
`,
  },
  breaks: [/^each-task-once$/],
  controllers: (mended) => [
    defineController({
      name: 'pipeline-run',
      reconciles: 'PipelineRun',
      writes: ['PipelineRun', 'TaskRun'],
      watches: [mended ? watchOwned('TaskRun', 'PipelineRun') : watch('TaskRun', watchOnly)],
      reconcile({ self, cache }) {
        if (statusOf<{ task: string }>(self).task !== undefined) return idle('its task is started');
        const [known] = cache.controlledBy('TaskRun', self);
        if (mended && known !== undefined) return write('a task was started', writeStatus(self, { task: known.metadata.name }));
        const of = mended ? { name: `${self.metadata.name}-task` } : { generateName: `${self.metadata.name}-` };
        return write(
          'no task is started',
          stillThere(self),
          create(custom('TaskRun', ownedBy(self, of)), mended ? { tolerate: ['AlreadyExists'] } : { resume: true }),
        );
      },
      resume({ self }, { object }) {
        if (self === undefined || object === undefined) return idle('it is gone');
        return write('the task is started', writeStatus(self, { task: object.metadata.name }));
      },
    }),
  ],
});
