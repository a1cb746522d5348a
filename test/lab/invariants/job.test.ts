/**
 * Each invariant of Jobs is broken by a mutant of the controller and holds for the real one in the same scenario, with the property
 * exercised.
 */
import { describe, expect, it } from 'vitest';
import type { Job } from '../../../src/apiserver/kinds/index.ts';
import { job } from '../../../src/controlplane/controllers/job/controller.ts';
import { jobTtl } from '../../../src/controlplane/controllers/job-ttl/controller.ts';
import type { Controller } from '../../../src/controlplane/runtime/index.ts';
import { jobInvariants } from '../../../src/lab/invariants/job/index.ts';
import type { Run } from '../../../src/lab/simulation/index.ts';
import { runScenario } from '../../support/scenarios.ts';
import { inStatus, seeing, withMutant, writing } from '../../support/mutants.ts';

interface Story {
  readonly spec: string;
  readonly behavior?: string;
  readonly gates?: string;
  readonly steps?: string;
  readonly until?: string;
  readonly restartPolicy?: string;
}

function run(
  { spec, behavior = 'runFor: 5s', gates = '', steps = '', until = '', restartPolicy = 'Never' }: Story,
  invariants: string,
  mutant?: Controller,
): Run {
  return runScenario(
    `
apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: story }
spec:
  ${until === '' ? '' : `until: ${until}`}
  limits: { steps: 20000, time: 1d }
  featureGates: { ${gates} }
  cluster:
    nodes: { count: 1 }
    podBehaviors: [{ selector: { matchLabels: { job-name: j } }, startDelay: 500ms, ${behavior} }]
  invariants: [${invariants}]
  steps:
    - apply:
        apiVersion: batch/v1
        kind: Job
        metadata: { name: j }
        spec: { ${spec}, template: { spec: { restartPolicy: ${restartPolicy}, containers: [{ name: c, image: "c:1" }] } } }
${steps}`,
    { controllers: withMutant(mutant) },
  );
}

const EXACT = 'JobTrackingWithFinalizers: true';
const edited = (change: (spec: Job['spec']) => object): Controller =>
  seeing<Job>(job, (input) => ({ ...input, self: { ...input.self, spec: { ...input.self.spec, ...change(input.self.spec) } } }));

interface Mutant {
  readonly name: string;
  readonly does: string;
  readonly story: Story;
  readonly mutant: Controller;
  readonly says: RegExp;
}

const MUTANTS: readonly Mutant[] = [
  {
    name: 'job/counts-never-shrink',
    does: 'stores what it counted before',
    story: { gates: EXACT, spec: 'completions: 3' },
    mutant: writing(
      job,
      inStatus((status) => (status['succeeded'] === 2 ? { ...status, succeeded: 0 } : status)),
    ),
    says: /status\.succeeded went from 1 down to 0/,
  },
  {
    name: 'job/pods-counted-once',
    does: 'leaves counted pods in the list',
    story: { gates: EXACT, spec: 'completions: 2' },
    mutant: (() => {
      let list: unknown;
      return writing(
        job,
        inStatus((status) => {
          if (status['succeeded'] === undefined) {
            list = status['uncountedTerminatedPods'];
            return status;
          }
          return { ...status, uncountedTerminatedPods: list };
        }),
      );
    })(),
    says: /status\.succeeded grew by 1 while 0 pods left the list/,
  },
  {
    name: 'job/pods-counted-once',
    does: 'counts before the finalizers are off',
    story: { gates: EXACT, spec: 'completions: 2' },
    mutant: writing(job, (write) =>
      write.op === 'patch'
        ? undefined
        : inStatus((status) =>
            JSON.stringify(status['uncountedTerminatedPods'] ?? {}) === '{}'
              ? status
              : { ...status, uncountedTerminatedPods: {}, succeeded: 1 },
          )(write),
    ),
    says: /grew by 1 while 0 pods left/,
  },
  {
    name: 'job/completed-indexes-only-grow',
    does: 'keeps only the newest index',
    story: { gates: EXACT, spec: 'completionMode: Indexed, completions: 3' },
    mutant: writing(
      job,
      inStatus((status) => (status['completedIndexes'] === '0,1' ? { ...status, completedIndexes: '1' } : status)),
    ),
    says: /completedIndexes went from 0 to 1/,
  },
  {
    name: 'job/complete-means-done',
    does: 'is content with one success less',
    story: { spec: 'completions: 3' },
    mutant: edited(({ completions = 1 }) => ({ completions: completions - 1 })),
    says: /it is Complete with 2 of 3 successes/,
  },
  {
    name: 'job/complete-means-done',
    does: 'leaves out the last index',
    story: { spec: 'completionMode: Indexed, completions: 3, parallelism: 3' },
    mutant: edited(({ completions = 1 }) => ({ completions: completions - 1 })),
    says: /it is Complete with the indexes 0,1 of 3/,
  },
  {
    name: 'job/finished-is-final',
    does: 'starts again when a user changes the Job',
    story: {
      gates: EXACT,
      spec: 'completions: 1',
      steps: '    - { when: settled, patch: { target: Job/j, type: merge, patch: { metadata: { labels: { again: "yes" } } } } }',
    },
    mutant: seeing<Job>(job, (input) =>
      input.self.metadata.labels?.['again'] === 'yes' ? { ...input, self: { ...input.self, status: {} } } : input,
    ),
    says: /it was Complete and is now unfinished|yet status\.active rose/,
  },
  {
    name: 'job/active-within-parallelism',
    does: 'takes parallelism for a minimum',
    story: { spec: 'completions: 6, parallelism: 2' },
    mutant: edited(({ parallelism = 1 }) => ({ parallelism: parallelism + 1 })),
    says: /has 3 active pods, its parallelism is 2/,
  },
  {
    name: 'job/active-within-parallelism',
    does: 'sticks to the parallelism it knew first',
    story: {
      spec: 'completions: 9, parallelism: 3',
      steps: '    - { after: 7s, patch: { target: Job/j, type: merge, patch: { spec: { parallelism: 1 } } } }',
    },
    mutant: (() => {
      let first: number | undefined;
      return edited(({ parallelism }) => ({ parallelism: (first ??= parallelism) }));
    })(),
    says: /has 2 active pods, its parallelism is 1/,
  },
  {
    name: 'job/one-pod-per-index',
    does: 'makes each pod twice',
    story: { spec: 'completionMode: Indexed, completions: 2, parallelism: 2' },
    mutant: writing(job, (write) => (write.op === 'create' ? [write, write] : write)),
    says: /index 0 of Job j has two active pods/,
  },
  {
    name: 'job/every-pod-owned',
    does: 'forgets the owner reference',
    story: { spec: 'completions: 1, parallelism: 1', until: '1s' },
    mutant: writing(job, (write) =>
      write.op !== 'create'
        ? write
        : { ...write, object: { ...write.object, metadata: { ...write.object.metadata, ownerReferences: [] } } },
    ),
    says: /has the labels of Job j, but is not controlled by it/,
  },
  {
    name: 'job/deadline-is-kept',
    does: 'ignores the deadline',
    story: { spec: 'activeDeadlineSeconds: 30', behavior: 'runFor: 3h' },
    mutant: edited(() => ({ activeDeadlineSeconds: undefined })),
    says: /its activeDeadlineSeconds have passed, and it has not failed/,
  },
  {
    name: 'job/ttl-is-kept',
    does: 'never looks at its clock',
    story: { spec: 'ttlSecondsAfterFinished: 30' },
    mutant: { ...(jobTtl as unknown as Controller), reconcile: () => ({ why: 'somebody else may do it', writes: [] }) },
    says: /its ttlSecondsAfterFinished have passed since it finished, and it has not been deleted/,
  },
  {
    name: 'job/status-tells-the-truth',
    does: 'never says how many are active',
    story: { spec: 'parallelism: 2, completions: 2', behavior: 'readyDelay: 0s' },
    mutant: writing(
      job,
      inStatus(({ active: _, ...status }) => status),
    ),
    says: /has status\.active 0, but 2 of its pods are active/,
  },
  {
    name: 'job/never-stuck',
    does: 'does not retry',
    story: { spec: 'completions: 2', behavior: 'runFor: 5s, exitCodes: [1, 0]' },
    mutant: writing<Job>(job, (write, { self }) => (write.op === 'create' && self.status.startTime !== undefined ? undefined : write)),
    says: /is unfinished, has no active pod, and nothing will happen any more/,
  },
  {
    name: 'job/suspended-rests',
    does: 'does not care',
    story: {
      spec: 'parallelism: 2, completions: 2',
      behavior: 'readyDelay: 0s',
      steps: '    - { after: 5s, patch: { target: Job/j, type: merge, patch: { spec: { suspend: true } } } }',
    },
    mutant: edited(() => ({ suspend: false })),
    says: /is suspended, but 2 of its pods are active/,
  },
  {
    name: 'job/suspended-rests',
    does: 'suspends without a word',
    story: { spec: 'suspend: true' },
    mutant: writing(
      job,
      inStatus(({ conditions: _, ...status }) => status),
    ),
    says: /is suspended, but has no condition Suspended/,
  },
  {
    name: 'job/gets-over-failures',
    does: 'gives up at once',
    story: { spec: 'completions: 2', behavior: 'runFor: 5s, exitCodes: [1, 0]' },
    mutant: edited(() => ({ backoffLimit: 0 })),
    says: /it was never seen \(Some Job completes although pods of it failed\)/,
  },
  {
    name: 'job/runs-in-parallel',
    does: 'makes one pod at a time',
    story: { spec: 'completions: 4, parallelism: 2' },
    mutant: edited(() => ({ parallelism: 1 })),
    says: /it was never seen/,
  },
  {
    name: 'job/no-success-is-lost',
    does: 'forgets one',
    story: { spec: 'completions: 3' },
    mutant: writing(
      job,
      inStatus((status) => (status['succeeded'] === 2 ? { ...status, succeeded: 0 } : status)),
    ),
    says: /status\.succeeded went from 1 down to 0/,
  },
];

const about = (run: Run, name: string): readonly string[] =>
  run.failures.filter(({ invariant }) => invariant === name).map(({ message }) => message);

describe.each(MUTANTS)('$name', ({ name, does, story, mutant, says }) => {
  it(`catches a controller that ${does}`, () => {
    expect(about(run(story, name, mutant), name)).toEqual([expect.stringMatching(says)]);
  });

  it('holds with the real one, and is exercised', () => {
    const { failures, invariants } = run(story, `job/*, ${name}`);
    expect(failures.map(({ invariant = '', message }) => `${invariant}: ${message}`)).toEqual([]);
    expect(invariants.find((each) => each.name === name)?.exercised).toBeGreaterThan(0);
  });
});

it('every invariant has a mutant, every kind of them an invariant', () => {
  const caught = new Set(MUTANTS.map(({ name }) => name));
  expect(jobInvariants.map(({ name }) => name).filter((name) => !caught.has(name))).toEqual([]);
  expect([...new Set(jobInvariants.map(({ temporal }) => temporal))].sort((a, b) => (a < b ? -1 : 1))).toEqual([
    'always',
    'eventually',
    'sometimes',
    'stable',
  ]);
});

describe('the selection of invariants', () => {
  const story: Story = { spec: 'completions: 1' };
  const watched = (invariants: string): readonly string[] => run(story, invariants).invariants.map(({ name }) => name);

  it('is the default invariants; others by name', () => {
    expect(watched('"*"')).not.toContain('job/no-success-is-lost');
    expect(watched('job/no-success-is-lost')).toEqual(['job/no-success-is-lost']);
    expect(watched('"!cron-job/*"')).not.toContain('job/no-success-is-lost');
  });

  it('by name must be exercised, by pattern need not', () => {
    expect(run(story, 'job/*').failures).toEqual([]);
    expect(about(run(story, 'job/one-pod-per-index'), 'job/one-pod-per-index')).toEqual([
      expect.stringMatching(/^it was never exercised: nothing in this run could have broken it/),
    ]);
    expect(about(run(story, 'job/runs-in-parallel'), 'job/runs-in-parallel')).toEqual([expect.stringMatching(/^it was never seen/)]);
  });
});
