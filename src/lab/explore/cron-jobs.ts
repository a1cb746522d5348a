/**
 * Random scenarios around one CronJob: schedules, policies, changes by users, faults, clock skew. Each ends without faults and with the
 * CronJob suspended, so that it can settle.
 */
import fc from 'fast-check';
import type { Scenario, Step } from '../scenario/index.ts';
import { specOf } from './arbitrary.ts';
import { scenariosOf, steadyLatencies, type ScenarioSize } from './generator.ts';
import { expectingAtRest, later, MINUTE, respecifying, SECOND, writing } from './steps.ts';
import { faulting, faultsOf } from './troubles.ts';

const target = { kind: 'CronJob', name: 'tick' } as const;
const waits = fc.constantFrom(0, SECOND, 9 * SECOND, 30 * SECOND, 50 * SECOND, MINUTE, 61 * SECOND, 150 * SECOND);

/**
 * No schedule waits for a month, because a new schedule is evaluated at its first time, suspended or not, and the cluster does not settle
 * before.
 */
const schedules = fc.constantFrom(
  '* * * * *',
  '*/2 * * * *',
  '0,1,7,30-33 * * * *',
  '1-59/3 * * * *',
  '* 0 * * *',
  '30 2 * * *',
  '0 0 30 2 *',
  '@hourly',
  '@every 45s',
  '@every 2m30s',
  'TZ=Asia/Kolkata */2 5-23 * * *',
);
/** The zone of a schedule is dropped where the schedule names its own. */
const zoned = ({ timeZone, ...fields }: Readonly<Record<string, unknown>>) =>
  String(fields['schedule']).includes('TZ')
    ? { ...fields, timeZone: null }
    : { ...fields, ...(timeZone === undefined ? {} : { timeZone }) };

const limits = fc.constantFrom(0, 1, 3);
const spec = specOf(
  'CronJob',
  {
    jobTemplate: undefined,
    suspend: undefined,
    schedule: fc.oneof(
      { weight: 2, arbitrary: fc.constant('* * * * *') },
      { weight: 1, arbitrary: fc.oneof(schedules, fc.constant('30 2 31 3 *')) },
    ),
    timeZone: fc.constantFrom('UTC', 'Europe/Berlin', 'Asia/Kathmandu'),
    startingDeadlineSeconds: fc.constantFrom(0, 5, 90, 86_400),
    successfulJobsHistoryLimit: limits,
    failedJobsHistoryLimit: limits,
  },
  {
    schedule: schedules,
    suspend: fc.boolean(),
    timeZone: undefined,
    startingDeadlineSeconds: fc.constantFrom(null, 0, 5, 90, 86_400),
  },
);
const operations: fc.Arbitrary<Step> = spec.change.map((change) => respecifying(target, zoned(change)));

const fault = (name: string, parameters: Readonly<Record<string, unknown>>): Step => faulting(name, 'controller-manager', parameters);
const jumps: fc.Arbitrary<Step> = fc
  .record({ by: fc.constantFrom(2 * SECOND, 40 * SECOND, 3 * MINUTE), behind: fc.boolean() })
  .map((skew) => fault('skew', skew));
const outages: fc.Arbitrary<Step> = fc
  .constantFrom(30 * SECOND, 5 * MINUTE, 200 * MINUTE)
  .map((restartAfter) => fault('crash', { restartAfter }));
/** Jobs only: with a stale CronJob and no history a minute can be run twice (scenarios/cron-job/13-stale-relist.yaml), as upstream. */
const relists: fc.Arbitrary<Step> = fc.constantFrom(SECOND, 20 * SECOND).map((staleBy) => fault('relist', { kinds: ['Job'], staleBy }));

const TICK = "object('CronJob/tick')";
const ended = (type: string): string => `j.status.?conditions.orValue([]).exists(c, c.type == '${type}' && c.status == 'True')`;
/** The status is correct, and no more Jobs are kept than the limits allow. */
const right: readonly string[] = [
  `objects('Job').all(j, ${ended('Complete')} || ${ended('Failed')})`,
  `${TICK}.?status.?active.orValue([]).size() == 0`,
  `objects('Job').filter(j, ${ended('Complete')}).size() <= ${TICK}.spec.successfulJobsHistoryLimit`,
  `objects('Job').filter(j, ${ended('Failed')}).size() <= ${TICK}.spec.failedJobsHistoryLimit`,
  `objects('Job').all(j, !has(j.status.completionTime) || timestamp(${TICK}.status.lastSuccessfulTime) >= timestamp(j.status.completionTime))`,
];

/** The clock is correct, no fault is active, and no new run starts. */
const healed: readonly Step[] = [
  later(10 * MINUTE, fault('skew', { by: 0 })),
  fault('restart', {}),
  later(15 * MINUTE, respecifying(target, { suspend: true })),
  expectingAtRest(...right),
];

const JOB = { backoffLimit: 1, template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'sim:1' }] } } };

/** Returns scenarios with one CronJob, which is suspended in the end, so that every run has finished and is recorded. */
export const cronJobScenarios = ({ maxSteps = 7 }: ScenarioSize = {}): fc.Arbitrary<Scenario> =>
  scenariosOf({
    nodes: ['node-0'],
    setup: fc.record({
      fields: spec.whole.map(zoned),
      runForMs: fc.constantFrom(SECOND, 20 * SECOND, 59 * SECOND, 85 * SECOND, 4 * MINUTE),
      exitCodes: fc.constantFrom([0], [1], [1, 0]),
      startAt: fc.constantFrom(
        Date.UTC(2024, 2, 1),
        Date.UTC(2024, 2, 31, 0, 55),
        Date.UTC(2024, 9, 27, 0, 58, 30),
        Date.UTC(2024, 1, 28, 23, 59, 59),
      ),
    }),
    steps: fc.oneof(operations, faultsOf(['controller-manager'], { longestCutMs: 3 * SECOND, staleLists: false }), jumps, outages, relists),
    maxSteps,
    waits,
    latencies: steadyLatencies,
    make: ({ fields, runForMs, exitCodes, startAt }, steps) => ({
      startAt,
      limits: { steps: 1_000_000, timeMs: 3 * 86_400_000 },
      featureGates: { CronJobTimeZone: true },
      cluster: { podBehaviors: [{ runForMs, exitCodes }] },
      steps: [
        writing('create', {
          apiVersion: 'batch/v1',
          kind: 'CronJob',
          metadata: { name: 'tick' },
          spec: { ...fields, jobTemplate: { spec: JOB } },
        }),
        ...steps,
        ...healed,
      ],
    }),
  });
