/**
 * Random scenarios around one CronJob: schedules, policies, changes by users, faults, clock skew. Each ends without faults and with the
 * CronJob suspended, so that it can settle.
 */
import fc from 'fast-check';
import type { Scenario, Step } from '../scenario/index.ts';
import { expectingAtRest, faulting, found, MINUTE, patching, SECOND, seeds } from './steps.ts';

const NODES = ['node-0'];
const target = { kind: 'CronJob', name: 'tick' } as const;
const wait = fc.constantFrom(0, SECOND, 9 * SECOND, 30 * SECOND, 50 * SECOND, MINUTE, 61 * SECOND, 150 * SECOND);
const patch = (ms: number, spec: object): Step => patching(ms, target, { spec });

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
const zones = fc.constantFrom(undefined, 'UTC', 'Europe/Berlin', 'Asia/Kathmandu');
const policies = fc.constantFrom('Allow', 'Forbid', 'Replace');
const limits = fc.constantFrom(0, 1, 3);
const deadlines = fc.constantFrom(undefined, undefined, 0, 5, 90, 86_400);

const spec = fc.record({
  schedule: fc.oneof(
    { weight: 2, arbitrary: fc.constant('* * * * *') },
    { weight: 1, arbitrary: fc.oneof(schedules, fc.constant('30 2 31 3 *')) },
  ),
  timeZone: zones,
  concurrencyPolicy: policies,
  startingDeadlineSeconds: deadlines,
  successfulJobsHistoryLimit: limits,
  failedJobsHistoryLimit: limits,
});

const operations: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(wait, fc.boolean()).map(([ms, suspend]) => patch(ms, { suspend })),
  fc.tuple(wait, schedules).map(([ms, schedule]) => patch(ms, schedule.includes('TZ') ? { schedule, timeZone: null } : { schedule })),
  fc.tuple(wait, policies).map(([ms, concurrencyPolicy]) => patch(ms, { concurrencyPolicy })),
  fc
    .tuple(wait, limits, limits)
    .map(([ms, successfulJobsHistoryLimit, failedJobsHistoryLimit]) => patch(ms, { successfulJobsHistoryLimit, failedJobsHistoryLimit })),
  fc.tuple(wait, deadlines).map(([ms, deadline]) => patch(ms, { startingDeadlineSeconds: deadline ?? null })),
);

const fault = (ms: number, name: string, parameters: Readonly<Record<string, unknown>>): Step =>
  faulting(ms, name, 'controller-manager', parameters);
const jumps: fc.Arbitrary<Step> = fc
  .tuple(wait, fc.constantFrom(2 * SECOND, 40 * SECOND, 3 * MINUTE), fc.boolean())
  .map(([ms, by, behind]) => fault(ms, 'skew', { by, behind }));
const outages: fc.Arbitrary<Step> = fc
  .tuple(wait, fc.constantFrom(30 * SECOND, 5 * MINUTE, 200 * MINUTE))
  .map(([ms, restartAfter]) => fault(ms, 'crash', { restartAfter }));
/** Jobs only: with a stale CronJob and no history a minute can be run twice (scenarios/cron-job/13-stale-relist.yaml), as upstream. */
const relists: fc.Arbitrary<Step> = fc
  .tuple(wait, fc.constantFrom(SECOND, 20 * SECOND))
  .map(([ms, staleBy]) => fault(ms, 'relist', { kinds: ['Job'], staleBy }));
const troubles: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(wait, fc.integer({ min: 1, max: 5 })).map(([ms, afterWrites]) => fault(ms, 'crash', { afterWrites, restartAfter: SECOND })),
  fc.tuple(wait, fc.constantFrom(200, 2 * SECOND)).map(([ms, by]) => fault(ms, 'lag', { by, for: 10 * SECOND })),
  fc
    .tuple(wait, fc.integer({ min: 1, max: 3 }), fc.constantFrom(409, 500, 503))
    .map(([ms, times, code]) => fault(ms, 'failRequest', { times, code })),
  wait.map((ms) => fault(ms, 'failRequest', { loseResponse: true })),
  wait.map((ms) => fault(ms, 'partition', { for: 3 * SECOND })),
);

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
  fault(10 * MINUTE, 'skew', { by: 0 }),
  fault(0, 'restart', {}),
  patch(15 * MINUTE, { suspend: true }),
  expectingAtRest(...right),
];

/** Options of scenarios with a CronJob. */
export interface CronJobScenarioOptions {
  /** The maximum number of changes and faults; default 7. */ readonly maxSteps?: number;
}

/** Returns scenarios with one CronJob, which is suspended in the end, so that every run has finished and is recorded. */
export const cronJobScenarios = ({ maxSteps = 7 }: CronJobScenarioOptions = {}): fc.Arbitrary<Scenario> =>
  fc
    .record({
      spec,
      runForMs: fc.constantFrom(SECOND, 20 * SECOND, 59 * SECOND, 85 * SECOND, 4 * MINUTE),
      exitCodes: fc.constantFrom([0], [1], [1, 0]),
      steps: fc.array(fc.oneof(operations, troubles, jumps, outages, relists), { maxLength: maxSteps, size: 'max' }),
      startAt: fc.constantFrom(
        Date.UTC(2024, 2, 1),
        Date.UTC(2024, 2, 31, 0, 55),
        Date.UTC(2024, 9, 27, 0, 58, 30),
        Date.UTC(2024, 1, 28, 23, 59, 59),
      ),
      api: fc.constantFrom(0, 7),
      watch: fc.constantFrom(0, 5, 200),
      seed: seeds,
    })
    .map(({ spec: { timeZone, startingDeadlineSeconds, ...fields }, runForMs, exitCodes, steps, startAt, api, watch, seed }): Scenario =>
      found({
        seed,
        startAt,
        nodes: NODES,
        limits: { steps: 1_000_000, timeMs: 3 * 86_400_000 },
        featureGates: { CronJobTimeZone: true },
        cluster: {
          latency: { api: { minMs: api, maxMs: api }, watch: { minMs: watch, maxMs: watch } },
          podBehaviors: [{ runForMs, exitCodes }],
        },
        steps: [
          {
            timing: { when: 'next' },
            verb: 'create',
            objects: [
              {
                object: {
                  apiVersion: 'batch/v1',
                  kind: 'CronJob',
                  metadata: { name: 'tick' },
                  spec: {
                    ...fields,
                    ...(timeZone === undefined || fields.schedule.includes('TZ') ? {} : { timeZone }),
                    ...(startingDeadlineSeconds === undefined ? {} : { startingDeadlineSeconds }),
                    jobTemplate: {
                      spec: {
                        backoffLimit: 1,
                        template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'sim:1' }] } },
                      },
                    },
                  },
                },
              },
            ],
          },
          ...steps,
          ...healed,
        ],
      }),
    );
