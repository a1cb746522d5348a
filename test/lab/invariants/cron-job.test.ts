import { describe, expect, it } from 'vitest';
import type { CronJob, KindRegistry } from '../../../src/apiserver/kinds/index.ts';
import { cronJob } from '../../../src/controlplane/controllers/cron-job/controller.ts';
import { controllers } from '../../../src/controlplane/controllers/index.ts';
import type { Controller, Outcome, Write } from '../../../src/controlplane/runtime/index.ts';
import { cronJobInvariants } from '../../../src/lab/invariants/cron-job/index.ts';
import type { Run } from '../../../src/lab/simulation/index.ts';
import { runScenario } from '../../support/scenarios.ts';

interface Story {
  readonly spec: string;
  readonly job?: string;
  readonly runFor: string;
  readonly steps?: string;
  readonly until: string;
}

/** Runs a CronJob of every minute with the built-in controllers, or with a mutant of its controller. */
function run({ spec, job = '', runFor, steps = '', until }: Story, mutant?: Controller): Run {
  return runScenario(
    `
apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: mutant }
spec:
  until: ${until}
  cluster:
    nodes: { count: 1 }
    podBehaviors: [{ selector: { matchLabels: { app: tick } }, runFor: ${runFor} }]
  steps:
    - apply:
        apiVersion: batch/v1
        kind: CronJob
        metadata: { name: tick }
        spec: { schedule: "* * * * *", ${spec}, jobTemplate: { spec: { ${job} template: { metadata: { labels: { app: tick } }, spec: { restartPolicy: Never, containers: [{ name: c, image: "c:1" }] } } } } }
${steps}`,
    {
      invariants: cronJobInvariants,
      ...(mutant === undefined
        ? {}
        : { controllers: (kinds: KindRegistry) => controllers(kinds).map((each) => (each.name === cronJob.name ? mutant : each)) }),
    },
  );
}

const real = cronJob as unknown as Controller;
/** The controller with a modified CronJob in its cache. */
const seeing = (change: (object: CronJob) => object): Controller => ({
  ...real,
  reconcile: (input) => real.reconcile({ ...input, self: change(input.self as CronJob) as never }),
});
/** The controller with some of its writes changed or removed. */
const writing = (change: (write: Write) => Write | undefined, of = real): Controller => {
  const changed = (outcome: Outcome): Outcome => ({ ...outcome, writes: outcome.writes.flatMap((write) => change(write) ?? []) });
  return {
    ...of,
    reconcile: (input) => changed(of.reconcile(input)),
    resume: (input, answer) => changed(of.resume?.(input, answer) ?? { why: 'no', writes: [] }),
    recover: (input, failure) => {
      const next = of.recover?.(input, failure);
      return next === undefined ? undefined : changed(next);
    },
  };
};

const MUTANTS: readonly {
  readonly name: string;
  readonly does: string;
  readonly story: Story;
  readonly mutant: Controller;
  readonly says: RegExp;
}[] = [
  {
    name: 'cron-job/forbid-never-overlaps',
    does: 'takes Forbid for Allow',
    story: { spec: 'concurrencyPolicy: Forbid', runFor: '85s', until: '5m' },
    mutant: seeing((object) => ({ ...object, spec: { ...object.spec, concurrencyPolicy: 'Allow' } })),
    says: /tick-\d+ was started while tick-\d+ still ran, although tick forbids it/,
  },
  {
    name: 'cron-job/replace-never-overlaps',
    does: 'lets what runs run on',
    story: { spec: 'concurrencyPolicy: Replace', runFor: '85s', until: '5m' },
    mutant: writing((write) => (write.op === 'delete' && write.kind === 'Job' ? undefined : write)),
    says: /tick-\d+ was started while tick-\d+ still ran, although tick replaces running Jobs/,
  },
  {
    name: 'cron-job/one-job-per-minute',
    does: 'forgets when it ran last',
    story: { spec: 'failedJobsHistoryLimit: 0', job: 'ttlSecondsAfterFinished: 0,', runFor: '5s', until: '4m' },
    mutant: (() => {
      let last: string | undefined;
      const forgetting = seeing(({ status: { lastScheduleTime, ...status }, ...object }) => {
        last = lastScheduleTime ?? last;
        return { ...object, status };
      });
      const keeping = (write: Write): Write =>
        write.op !== 'update'
          ? write
          : { ...write, object: { ...write.object, status: { lastScheduleTime: last, ...(write.object as CronJob).status } } };
      return writing(keeping, forgetting);
    })(),
    says: /tick-(\d+) is for minute \1, but minute \1 was run before it/,
  },
  {
    name: 'cron-job/suspended-starts-nothing',
    does: 'does not look whether it is suspended',
    story: { spec: 'suspend: true', runFor: '5s', until: '3m' },
    mutant: seeing((object) => ({ ...object, spec: { ...object.spec, suspend: false } })),
    says: /tick-\d+ was started although tick has been suspended for 60\.1 s/,
  },
  {
    name: 'cron-job/history-limits-kept',
    does: 'never deletes',
    story: { spec: 'successfulJobsHistoryLimit: 1', runFor: '5s', until: '30m' },
    mutant: writing((write) => (write.op === 'delete' ? undefined : write)),
    says: /tick keeps \d+ Jobs that are Complete, its limit is 1/,
  },
  {
    name: 'cron-job/active-list-is-true',
    does: 'never takes a Job off its list',
    story: { spec: 'successfulJobsHistoryLimit: 1', runFor: '5s', until: '30m' },
    mutant: {
      ...real,
      ...(() => {
        const known = new Map<string, NonNullable<CronJob['status']['active']>[number]>();
        const change = (write: Write): Write => {
          if (write.op !== 'update') return write;
          const { active = [], ...status } = (write.object as CronJob).status;
          for (const reference of active) known.set(reference.name ?? '', reference);
          return { ...write, object: { ...write.object, status: { ...status, active: [...known.values()] } } };
        };
        const { reconcile, resume } = writing(change);
        return { reconcile, ...(resume === undefined ? {} : { resume }) };
      })(),
    },
    says: /lists tick-\d+ as running, which (does not exist|is Complete)/,
  },
];

describe.each(MUTANTS)('$name', ({ name, does, story, mutant, says }) => {
  it('holds of the controller, and was exercised', () => {
    const { failures, invariants } = run(story.spec.startsWith('suspend') ? { ...story, spec: 'suspend: false' } : story);
    expect(failures).toEqual([]);
    expect(invariants.find((each) => each.name === name)).toMatchObject({ held: true, exercised: expect.any(Number) });
    expect(invariants.find((each) => each.name === name)?.exercised).toBeGreaterThan(0);
  });

  it(`is broken by one that ${does}`, () => {
    const broken = run(story, mutant).failures.filter(({ invariant }) => invariant === name);
    expect(broken.map(({ message }) => message)).toEqual([expect.stringMatching(says)]);
  });
});

it('each has a mutant', () => {
  expect(MUTANTS.map(({ name }) => name)).toEqual(cronJobInvariants.map(({ name }) => name));
});

it('a controller that is down for an hour violates no obligation', () => {
  const outage = `
    - at: 66s
      fault: { crash: controller-manager, restartAfter: 1h }`;
  expect(run({ spec: 'successfulJobsHistoryLimit: 0', runFor: '5s', steps: outage, until: '90m' }).failures).toEqual([]);
});

it('a lastScheduleTime set back by hand may run minutes again', () => {
  const back = `
    - at: 70s
      patch: { target: CronJob/tick, subresource: status, patch: { status: { lastScheduleTime: "2024-01-01T00:00:00Z" } } }`;
  expect(run({ spec: 'successfulJobsHistoryLimit: 0', runFor: '5s', steps: back, until: '3m' }).failures).toEqual([]);
});
