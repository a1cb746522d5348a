import { describe, expect, it } from 'vitest';
import type { ApiObject } from '../../../../src/apiserver/machinery/index.ts';
import type { CronJob } from '../../../../src/apiserver/kinds/index.ts';
import { cronJob } from '../../../../src/controlplane/controllers/cron-job/controller.ts';
import type { Failure, Outcome, Write } from '../../../../src/controlplane/runtime/index.ts';
import { formatTime } from '../../../../src/schema/values/index.ts';
import { at } from '../../../support/objects.ts';
import { decide, phrase, recover, resume, statusIn, type Situation } from '../../../support/reconcile.ts';
import { listed, nameOf, runOf, tick } from './objects.ts';

const reported = ({ writes }: Outcome): readonly string[] =>
  writes.flatMap((write) => (write.op === 'event' ? [`${write.event.reason}: ${write.event.message}`] : []));
const made = ({ writes }: Outcome): readonly string[] => writes.filter(({ op }) => op !== 'event').map(phrase);
const refused = (
  write: Write,
  reason: string,
  message = 'no',
  dropped: readonly Write[] = [],
  causes: readonly { reason: string }[] = [],
): Failure => ({
  write,
  dropped,
  status: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', reason, message, details: { causes } },
});
const writeOf = ({ writes }: Outcome, op: Write['op']): Write => {
  const found = writes.find((write) => write.op === op);
  if (found === undefined) throw new Error(`no ${op} among ${writes.map(phrase).join(', ')}`);
  return found;
};
const statusOf = (outcome: Outcome): CronJob['status'] | undefined => statusIn<CronJob['status']>(outcome);

/** The rest of a sync after its Job was created. */
function afterCreate(situation: Situation, outcome: Outcome, minute: number): Outcome {
  return resume(cronJob, { ...situation, memory: outcome.memory }, { write: writeOf(outcome, 'create'), object: runOf(minute) });
}

describe('a run that is due', () => {
  const situation: Situation = { objects: [tick()], now: at(60.1) };

  it('gets a Job named after its minute, made from the template, owned by the CronJob', () => {
    const outcome = decide(cronJob, situation);
    expect(made(outcome)).toEqual([`create Job ${nameOf(1)}`]);
    const write = writeOf(outcome, 'create');
    if (write.op !== 'create') throw new Error('unreachable');
    expect(write.object.metadata).toEqual({
      name: nameOf(1),
      namespace: 'default',
      labels: { app: 'tick' },
      annotations: { note: 'x' },
      ownerReferences: [
        { apiVersion: 'batch/v1', kind: 'CronJob', name: 'tick', uid: 'uid-tick', controller: true, blockOwnerDeletion: true },
      ],
    });
    expect(write.object['spec']).toEqual(tick().spec.jobTemplate.spec);
    expect(write.then).toMatchObject({ type: 'Normal', reason: 'SuccessfulCreate', message: 'Created job {name}' });
  });

  it('is listed once its Job exists, and the next wake-up is 100 ms after its minute', () => {
    const next = afterCreate(situation, decide(cronJob, situation), 1);
    expect(statusOf(next)).toEqual({
      active: [
        {
          kind: 'Job',
          namespace: 'default',
          name: nameOf(1),
          uid: `uid-${nameOf(1)}`,
          apiVersion: 'batch/v1',
          resourceVersion: expect.any(String),
        },
      ],
      lastScheduleTime: formatTime(at(60)),
    });
    expect(next.wakeAt).toBe(at(120.1));
    expect(next.memory).toEqual({ step: 'written', over: '7', at: at(60.1) });
  });

  it('is not started twice', () => {
    const byTime = decide(cronJob, { objects: [tick({}, { lastScheduleTime: formatTime(at(60)) })], now: at(90) });
    expect(made(byTime)).toEqual([]);
    const byName = decide(cronJob, {
      objects: [tick({ schedule: '@every 20s' }, { active: [listed(1)], lastScheduleTime: formatTime(at(60)) }), runOf(1)],
      now: at(80.1),
    });
    expect([made(byName), byName.why]).toEqual([[], expect.stringContaining('has been started')]);
  });

  it('is the last one when several were missed, with a warning for more than a hundred', () => {
    const few = decide(cronJob, { objects: [tick()], now: at(100 * 60 + 1) });
    expect([made(few), reported(few)]).toEqual([[`create Job ${nameOf(100)}`], []]);
    const many = decide(cronJob, { objects: [tick()], now: at(200 * 60 + 1) });
    expect(made(many)).toEqual([`create Job ${nameOf(200)}`]);
    expect(reported(many)).toEqual([
      'TooManyMissedTimes: too many missed start times: 200. Set or decrease .spec.startingDeadlineSeconds or check clock skew',
    ]);
  });

  it('is not found after its starting deadline', () => {
    const inTime = decide(cronJob, { objects: [tick({ startingDeadlineSeconds: 30 })], now: at(89) });
    expect(made(inTime)).toEqual([`create Job ${nameOf(1)}`]);
    const late = decide(cronJob, { objects: [tick({ startingDeadlineSeconds: 30 })], now: at(91) });
    expect([made(late), reported(late), late.wakeAt]).toEqual([[], [], at(120.1)]);
    const never = decide(cronJob, { objects: [tick({ startingDeadlineSeconds: 0 })], now: at(60.1) });
    expect(made(never)).toEqual([]);
  });
});

describe('nothing starts', () => {
  it.each([
    ['while it is suspended', tick({ suspend: true }), [], 'it is suspended'],
    ['while it is being deleted', tick({}, {}, { deletionTimestamp: formatTime(at(61)) }), [], 'it is being deleted'],
    [
      'on 30 February',
      tick({ schedule: '0 0 30 2 *' }),
      ['InvalidSchedule: invalid schedule: 0 0 30 2 * : time difference between two schedules less than 1 second'],
      'its schedule matches no future time',
    ],
    [
      'when the schedule cannot be read',
      tick({ schedule: 'a "b"' }),
      ['UnparseableSchedule: unparseable schedule: "a \\"b\\"" : expected exactly 5 fields, found 2: [a "b"]'],
      'its schedule cannot be read',
    ],
  ])('%s', (_, object, events, why) => {
    const outcome = decide(cronJob, { objects: [object], now: at(1e6) });
    expect([made(outcome), reported(outcome), outcome.why, outcome.wakeAt, outcome.backoff]).toEqual([[], events, why, undefined, 'keep']);
  });

  it('in a zone that does not exist; without the gate the zone does not matter', () => {
    const objects = [tick({ timeZone: 'No/Where' })];
    const outcome = decide(cronJob, { objects, now: at(60.1), gates: { CronJobTimeZone: true } });
    expect([made(outcome), reported(outcome), outcome.wakeAt]).toEqual([
      [],
      ['UnknownTimeZone: invalid timeZone: "No/Where": unknown time zone No/Where'],
      undefined,
    ]);
    expect(made(decide(cronJob, { objects, now: at(60.1) }))).toEqual([`create Job ${nameOf(1)}`]);
  });
});

describe('time zones', () => {
  it('shift the schedule behind their gate', () => {
    const objects = [tick({ schedule: '30 5 * * *', timeZone: 'Asia/Kolkata' })];
    expect(decide(cronJob, { objects, now: at(1), gates: { CronJobTimeZone: true } }).wakeAt).toBe(at(24 * 3600 + 0.1));
    expect(decide(cronJob, { objects, now: at(1) }).wakeAt).toBe(at(5.5 * 3600 + 0.1));
  });

  it('within the schedule take precedence, with a warning at every sync', () => {
    const outcome = decide(cronJob, {
      objects: [tick({ schedule: 'TZ=Asia/Kolkata 30 5 * * *', timeZone: 'Asia/Tokyo' })],
      now: at(1),
      gates: { CronJobTimeZone: true },
    });
    expect(outcome.wakeAt).toBe(at(24 * 3600 + 0.1));
    expect(reported(outcome)).toEqual([
      'UnsupportedSchedule: CRON_TZ or TZ used in schedule "TZ=Asia/Kolkata 30 5 * * *" is not officially supported, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details',
    ]);
  });
});

describe('concurrency policies', () => {
  const running = (concurrencyPolicy: string): readonly ApiObject[] => [
    tick({ concurrencyPolicy }, { active: [listed(1)], lastScheduleTime: formatTime(at(60)) }),
    runOf(1),
  ];
  const situation = (policy: string): Situation => ({ objects: running(policy), now: at(120.1) });

  it('Allow lets runs overlap', () => {
    const outcome = decide(cronJob, situation('Allow'));
    expect(made(outcome)).toEqual([`create Job ${nameOf(2)}`]);
    expect(statusOf(afterCreate(situation('Allow'), outcome, 2))?.active?.map(({ name }) => name)).toEqual([nameOf(1), nameOf(2)]);
  });

  it('Forbid waits for the earlier run, with an event', () => {
    const outcome = decide(cronJob, situation('Forbid'));
    expect([made(outcome), reported(outcome), outcome.wakeAt]).toEqual([
      [],
      ['JobAlreadyActive: Not starting job because prior execution is running and concurrency policy is Forbid'],
      at(180.1),
    ]);
  });

  it('Forbid starts the missed run as soon as the earlier one has ended', () => {
    const objects = [
      tick({ concurrencyPolicy: 'Forbid' }, { active: [listed(1)], lastScheduleTime: formatTime(at(60)) }),
      runOf(1, { as: 'Complete', after: 85 }),
    ];
    const outcome = decide(cronJob, { objects, now: at(145) });
    expect([made(outcome), reported(outcome)]).toEqual([
      [`create Job ${nameOf(2)}`],
      [`SawCompletedJob: Saw completed job: ${nameOf(1)}, status: Complete`],
    ]);
  });

  it('Replace deletes the running Job in the background, then creates', () => {
    const outcome = decide(cronJob, situation('Replace'));
    expect(made(outcome)).toEqual([`get Job ${nameOf(1)}`, `delete Job ${nameOf(1)}`, `create Job ${nameOf(2)}`]);
    expect(writeOf(outcome, 'delete')).toMatchObject({
      propagationPolicy: 'Background',
      then: { reason: 'SuccessfulDelete', message: 'Deleted job {name}' },
    });
    expect(statusOf(afterCreate(situation('Replace'), outcome, 2))?.active?.map(({ name }) => name)).toEqual([nameOf(2)]);
  });

  it('Replace that cannot delete keeps the running Job, and retries', () => {
    const objects = [
      tick({ concurrencyPolicy: 'Replace' }, { active: [listed(1), listed(2)], lastScheduleTime: formatTime(at(120)) }),
      runOf(1),
      runOf(2),
    ];
    const outcome = decide(cronJob, { objects, now: at(180.1) });
    const second = outcome.writes.findLast((write) => write.op === 'delete');
    if (second === undefined) throw new Error('unreachable');
    const next = recover(
      cronJob,
      { objects, now: at(180.1), memory: outcome.memory },
      refused(second, 'InternalError', 'no', outcome.writes.slice(outcome.writes.indexOf(second) + 1)),
    );
    if (next === undefined) throw new Error('it does not recover');
    expect([statusOf(next)?.active?.map(({ name }) => name), next.backoff, next.memory]).toEqual([[nameOf(2)], 'retry', null]);
    expect('otherwise' in second && second.otherwise).toMatchObject({ reason: 'FailedDelete', message: 'Deleted job: {error}' });
  });
});

describe('the list of running Jobs', () => {
  const ended = (as: 'Complete' | 'Failed') => [tick({}, { active: [listed(1)], lastScheduleTime: formatTime(at(60)) }), runOf(1, { as })];

  it('drops a Job that ended; the time of success is written by the next sync', () => {
    const first = decide(cronJob, { objects: ended('Complete'), now: at(66) });
    expect([statusOf(first), reported(first)]).toEqual([
      { lastScheduleTime: formatTime(at(60)) },
      [`SawCompletedJob: Saw completed job: ${nameOf(1)}, status: Complete`],
    ]);
    const second = decide(cronJob, {
      objects: [tick({}, { lastScheduleTime: formatTime(at(60)) }), runOf(1, { as: 'Complete' })],
      now: at(66),
    });
    expect([statusOf(second)?.lastSuccessfulTime, reported(second)]).toEqual([formatTime(at(65)), []]);
  });

  it('a Job that failed is no success', () => {
    expect(reported(decide(cronJob, { objects: ended('Failed'), now: at(66) }))).toEqual([
      `SawCompletedJob: Saw completed job: ${nameOf(1)}, status: Failed`,
    ]);
    expect(
      made(decide(cronJob, { objects: [tick({}, { lastScheduleTime: formatTime(at(60)) }), runOf(1, { as: 'Failed' })], now: at(66) })),
    ).toEqual([]);
  });

  it('an earlier success does not replace a later one', () => {
    const status = { lastScheduleTime: formatTime(at(120)), lastSuccessfulTime: formatTime(at(125)) };
    expect(made(decide(cronJob, { objects: [tick({}, status), runOf(1, { as: 'Complete' })], now: at(126) }))).toEqual([]);
  });

  it('drops a Job that is gone, after a live read', () => {
    const situation: Situation = { objects: [tick({}, { active: [listed(1)], lastScheduleTime: formatTime(at(60)) })], now: at(70) };
    const question = decide(cronJob, situation);
    expect([made(question), question.wakeAt]).toEqual([[`get Job ${nameOf(1)}`], undefined]);
    expect(writeOf(question, 'get')).toMatchObject({ tolerate: ['NotFound'], resume: true });
    const gone = resume(cronJob, { ...situation, memory: question.memory }, { write: writeOf(question, 'get'), object: undefined });
    expect([statusOf(gone), reported(gone)]).toEqual([
      { lastScheduleTime: formatTime(at(60)) },
      [`MissingJob: Active job went missing: ${nameOf(1)}`],
    ]);
    const late = resume(cronJob, { ...situation, memory: question.memory }, { write: writeOf(question, 'get'), object: runOf(1) });
    expect([made(late), reported(late)]).toEqual([[], []]);
  });

  it('does not add an unknown Job, unless the server has it listed', () => {
    const situation: Situation = { objects: [tick({}, { lastScheduleTime: formatTime(at(60)) }), runOf(1)], now: at(70) };
    const question = decide(cronJob, situation);
    expect(made(question)).toEqual(['get CronJob tick']);
    const unknown = resume(
      cronJob,
      { ...situation, memory: question.memory },
      { write: writeOf(question, 'get'), object: tick({}, { lastScheduleTime: formatTime(at(60)) }) },
    );
    expect([made(unknown), reported(unknown)]).toEqual([
      [],
      [`UnexpectedJob: Saw a job that the controller did not create or forgot: ${nameOf(1)}`],
    ]);
    const known = resume(
      cronJob,
      { ...situation, memory: question.memory },
      { write: writeOf(question, 'get'), object: tick({}, { active: [listed(1)], lastScheduleTime: formatTime(at(60)) }) },
    );
    expect([made(known), reported(known)]).toEqual([[], []]);
  });

  it('is updated while the CronJob is suspended or being deleted', () => {
    for (const object of [
      tick({ suspend: true }, { active: [listed(1)] }),
      tick({}, { active: [listed(1)] }, { deletionTimestamp: formatTime(at(61)) }),
    ]) {
      expect(statusOf(decide(cronJob, { objects: [object, runOf(1, { as: 'Complete' })], now: at(70) }))).toEqual({});
    }
  });
});

describe('history', () => {
  const status = { lastScheduleTime: formatTime(at(300)), lastSuccessfulTime: formatTime(at(400)) };
  const runs = [
    runOf(3, { as: 'Complete' }),
    runOf(1, { as: 'Complete' }),
    runOf(2, { as: 'Failed' }),
    runOf(4, { as: 'Complete' }),
    runOf(5, { as: 'Failed' }),
  ];

  it('deletes the oldest of each kind, in the background, with events', () => {
    const outcome = decide(cronJob, {
      objects: [tick({ successfulJobsHistoryLimit: 1, failedJobsHistoryLimit: 1 }, status), ...runs],
      now: at(310),
    });
    expect(made(outcome)).toEqual([`delete Job ${nameOf(1)}`, `delete Job ${nameOf(3)}`, `delete Job ${nameOf(2)}`]);
    expect(writeOf(outcome, 'delete')).toMatchObject({
      propagationPolicy: 'Background',
      then: { reason: 'SuccessfulDelete', message: 'Deleted job {name}' },
    });
  });

  it('limits of 0 keep nothing', () => {
    const outcome = decide(cronJob, {
      objects: [tick({ successfulJobsHistoryLimit: 0, failedJobsHistoryLimit: 0 }, status), ...runs],
      now: at(310),
    });
    expect(made(outcome)).toHaveLength(5);
  });

  it('within the limits nothing is deleted', () => {
    const outcome = decide(cronJob, { objects: [tick({ failedJobsHistoryLimit: 2 }, status), ...runs], now: at(310) });
    expect(made(outcome)).toEqual([]);
  });

  it('continues when a Job cannot be deleted', () => {
    const objects = [tick({ successfulJobsHistoryLimit: 1, failedJobsHistoryLimit: 1 }, status), ...runs];
    const outcome = decide(cronJob, { objects, now: at(310) });
    const next = recover(
      cronJob,
      { objects, now: at(310) },
      refused(writeOf(outcome, 'delete'), 'InternalError', 'no', outcome.writes.slice(1)),
    );
    expect([next?.writes.map(phrase), next?.wakeAt]).toEqual([[`delete Job ${nameOf(3)}`, `delete Job ${nameOf(2)}`], at(360.1)]);
  });
});

describe('a Job that cannot be created', () => {
  const objects = [tick({}, { active: [listed(0)] }), runOf(0, { as: 'Complete' })];
  const outcome = decide(cronJob, { objects, now: at(60.1) });
  const fail = (reason: string, causes: readonly { reason: string }[] = []): Outcome => {
    const next = recover(
      cronJob,
      { objects, now: at(60.1), memory: outcome.memory },
      refused(writeOf(outcome, 'create'), reason, 'exceeded quota', [], causes),
    );
    if (next === undefined) throw new Error('it does not recover');
    return next;
  };

  it('is reported and retried, and the status of other Jobs is written', () => {
    const next = fail('Forbidden');
    expect([reported(next), statusOf(next), next.backoff, next.memory]).toEqual([
      ['FailedCreate: Error creating job: exceeded quota'],
      {},
      'retry',
      null,
    ]);
  });
  it('because it exists is retried without an event', () => {
    const next = fail('AlreadyExists');
    expect([reported(next), next.backoff]).toEqual([[], 'retry']);
  });
  it('because its namespace is being deleted is given up', () => {
    const next = fail('Forbidden', [{ reason: 'NamespaceTerminating' }]);
    expect([reported(next), next.backoff, next.wakeAt]).toEqual([[], undefined, at(120.1)]);
  });
});

describe('the status it wrote', () => {
  const situation: Situation = {
    objects: [tick({}, { active: [listed(1)], lastScheduleTime: formatTime(at(60)) }), runOf(1, { as: 'Complete' })],
    now: at(66),
  };
  const first = decide(cronJob, situation);

  it('is waited for, a second at most', () => {
    const soon = decide(cronJob, { ...situation, now: at(66.1), memory: first.memory });
    expect([made(soon), reported(soon), soon.why, soon.wakeAt]).toEqual([[], [], 'waiting to observe its own status update', at(120.1)]);
    expect(made(decide(cronJob, { ...situation, now: at(67), memory: first.memory }))).toEqual(['update CronJob/status tick']);
  });

  it('is written again with back-off when it could not be', () => {
    const next = recover(cronJob, { ...situation, memory: first.memory }, refused(writeOf(first, 'update'), 'Conflict'));
    expect([next?.writes, next?.memory, next?.backoff]).toEqual([[], null, 'retry']);
  });
});
