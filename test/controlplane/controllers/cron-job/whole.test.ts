/** Whole steps of a CronJob: what it decides, what follows from a response, and from a refusal. */
import { describe, expect, it } from 'vitest';
import { cronJob } from '../../../../src/controlplane/controllers/cron-job/controller.ts';
import type { Outcome, Write } from '../../../../src/controlplane/runtime/index.ts';
import { formatTime } from '../../../../src/schema/values/index.ts';
import { at } from '../../../support/objects.ts';
import { decide, linesOf, recover, resume, type Situation } from '../../../support/reconcile.ts';
import { listed, nameOf, runOf, tick } from './objects.ts';

/** Jobs by their minutes, as #1; without the CronJob that is remembered with a step. */
const lines = (outcome: Outcome | undefined): readonly string[] =>
  linesOf(outcome).map((line) =>
    line
      .replaceAll(/tick-(\d{8})\b/g, (_, minute: string) => `#${Number(minute) - at(0) / 60_000}`)
      .replace(/cronJob:\{.*\},(run|known):/, '$1:'),
  );
const sync = (objects: Situation['objects'], second: number, memory?: object): readonly string[] =>
  lines(decide(cronJob, { objects, now: at(second), memory }));
/** What follows when the first write that matches is answered or refused. */
function after(objects: Situation['objects'], second: number, op: Write['op'], follow: { object?: object | undefined; refused?: object }) {
  const { writes, memory } = decide(cronJob, { objects, now: at(second) });
  const place = writes.findIndex((each) => each.op === op);
  const write = writes[place] as Write;
  const situation = { objects, now: at(second), memory };
  if (follow.refused === undefined) return lines(resume(cronJob, situation, { write, object: follow.object as never }));
  return lines(recover(cronJob, situation, { write, status: follow.refused as never, dropped: writes.slice(place + 1) }));
}

const minute = (second: number): string => formatTime(at(second));
const ran = (status: object = {}, spec: object = {}) => tick(spec, { ...status, lastScheduleTime: minute(60) });
const RUNNING = { active: [listed(1)] };
const active = [ran(RUNNING), runOf(1)];
const policy = (concurrencyPolicy: string) => [ran(RUNNING, { concurrencyPolicy }), runOf(1)];
const OWNER = '{apiVersion:batch/v1,kind:CronJob,name:tick,uid:uid-tick,controller:true,blockOwnerDeletion:true}';
const creates = (name: string): string =>
  `create Job ${name} {metadata:{labels:{app:tick},annotations:{note:x},ownerReferences:[${OWNER}]},spec:{template:{metadata:{},spec:{restartPolicy:Never,containers:[{name:c,image:sim:1}]}}}} {then:{about:"CronJob tick",type:Normal,reason:SuccessfulCreate,message:"Created job {name}"},resume:true}`;
const deletes = (name: string, how = `uid:uid-${name},tolerate:[],`): string =>
  `delete Job ${name} {${how}propagationPolicy:Background,then:{about:"CronJob tick",type:Normal,reason:SuccessfulDelete,message:"Deleted job {name}"},otherwise:{about:"CronJob tick",type:Warning,reason:FailedDelete,message:"Deleted job: {error}"}}`;
const GETS = 'get Job #1 {otherwise:{about:"CronJob tick",type:Warning,reason:FailedGet,message:"Get job: {error}"}}';
const event = (type: string, reason: string, message: string): string => `event ${type} ${reason} of CronJob tick: ${message}`;
const status = (text: string): string => `update CronJob/status tick {status:{${text}}}`;
const ONE = 'active:[{kind:Job,namespace:default,name:#1,uid:uid-#1,apiVersion:batch/v1,resourceVersion:1}]';
const BEGUN = `${ONE},lastScheduleTime:00:01:00`;
const next = (second: number): readonly string[] => [`wakeAt: @${second}.1`, 'recurs: {everyMs:60000,does:"fires every minute"}'];
const rests = (second: number): readonly string[] => ['memory: null', ...next(second)];
const wrote = (second: number): string => `memory: {step:written,over:7,at:@${second}}`;
const starting = (run: number, before: string, then: string): string =>
  `memory: {step:starting,run:@${run},before:{${before},notes:[],events:[]},status:{${then}}}`;
const QUIET = 'no run is due; requeue at 2024-01-01T00:02:00Z';
const RETRIES = ['memory: null', 'backoff: retry'];
type Row = readonly [string, () => readonly string[], readonly string[]];

describe('a run', () => {
  const due = [`the run of ${minute(60)} is due`, creates('#1'), starting(60, 'active:[]', '')];
  it.each<Row>([
    ['is not due yet', () => sync([tick()], 30), [`no run is due; requeue at ${minute(60)}`, ...rests(60)]],
    ['is due', () => sync([tick()], 60.1), due],
    [
      'is listed',
      () => after([tick()], 60.2, 'create', { object: { ...runOf(1), metadata: { ...runOf(1).metadata, resourceVersion: '1' } } }),
      [`#1 was created: add it to status.active; requeue at ${minute(120)}`, status(BEGUN), wrote(60.2), ...next(120)],
    ],
    [
      'waits for its status update for a second',
      () => sync([tick()], 60.3, { step: 'written', over: '7', at: at(59.301) }),
      ['waiting to observe its own status update', ...next(120)],
    ],
    ['waits no longer', () => sync([tick()], 60.3, { step: 'written', over: '7', at: at(59.3) }), due],
    ['waits only for that', () => sync([tick()], 60.3, { step: 'written', over: '6', at: at(60.2) }), due],
    [
      'is the last of those that were missed',
      () => sync([tick()], 181),
      [`the run of ${minute(180)} is due, the last of 3 not started`, creates('#3'), starting(180, 'active:[]', '')],
    ],
    ['goes on', () => sync(active, 90), [QUIET, ...rests(120)]],
    [
      'runs beside the former',
      () => sync(policy('Allow'), 121),
      [`the run of ${minute(120)} is due`, creates('#2'), starting(120, ONE, BEGUN)],
    ],
    [
      'waits for the former',
      () => sync(policy('Forbid'), 121),
      [
        `the run of ${minute(120)} is due, but #1 is still running and concurrencyPolicy is Forbid; requeue at ${minute(180)}`,
        event('Normal', 'JobAlreadyActive', 'Not starting job because prior execution is running and concurrency policy is Forbid'),
        ...rests(180),
      ],
    ],
    [
      'replaces the former',
      () => sync(policy('Replace'), 121),
      [
        `the run of ${minute(120)} is due; it replaces #1`,
        GETS,
        deletes('#1', ''),
        creates('#2'),
        starting(120, ONE, 'lastScheduleTime:00:01:00'),
      ],
    ],
  ])('%s', (_, shown, expected) => {
    expect(shown()).toEqual(expected);
  });
});

describe('a Job', () => {
  const ended = (as: 'Complete' | 'Failed') => [ran(RUNNING), runOf(1, { as, after: 10 })];
  const leaves = (notice: string): readonly string[] => [notice, status('lastScheduleTime:00:01:00'), wrote(90), ...next(120)];
  const saw = (as: string): string => event('Normal', 'SawCompletedJob', `Saw completed job: #1, status: ${as}`);
  const succeeded = (time?: string) => [
    ran(time === undefined ? {} : { lastSuccessfulTime: time }),
    runOf(1, { as: 'Complete', after: 10 }),
  ];
  const unlisted = [ran(), runOf(1)];
  it.each<Row>([
    ['has completed', () => sync(ended('Complete'), 90), [`#1 has ended; ${QUIET}`, ...leaves(saw('Complete'))]],
    ['has failed', () => sync(ended('Failed'), 90), [`#1 has ended; ${QUIET}`, ...leaves(saw('Failed'))]],
    [
      'was the last to succeed',
      () => sync(succeeded(), 90),
      [`#1 succeeded; ${QUIET}`, status('lastScheduleTime:00:01:00,lastSuccessfulTime:00:01:10'), wrote(90), ...next(120)],
    ],
    ['succeeded before another', () => sync(succeeded(minute(70)), 90), [QUIET, ...rests(120)]],
    [
      'is read where the cache has none',
      () => sync([ran(RUNNING)], 90),
      [
        '#1 is in status.active but not in the cache: read the Job from the API server',
        'get Job #1 {resume:true,tolerate:[NotFound]}',
        'memory: {step:asking,known:{jobs:[]}}',
      ],
    ],
    [
      'is missing',
      () => after([ran(RUNNING)], 90, 'get', {}),
      [`#1 went missing; ${QUIET}`, ...leaves(event('Normal', 'MissingJob', 'Active job went missing: #1'))],
    ],
    ['is there after all', () => after([ran(RUNNING)], 90, 'get', { object: runOf(1) }), [QUIET, ...rests(120)]],
    [
      'that is not listed makes the CronJob be read',
      () => sync(unlisted, 90),
      [
        '#1 is not in status.active of the cached CronJob: read the CronJob from the API server',
        'get CronJob tick {resume:true}',
        'memory: {step:asking,known:{jobs:[]}}',
      ],
    ],
    ['is listed by now', () => after(unlisted, 90, 'get', { object: ran(RUNNING) }), [QUIET, ...rests(120)]],
    [
      'is still not listed',
      () => after(unlisted, 90, 'get', { object: ran() }),
      [QUIET, event('Warning', 'UnexpectedJob', 'Saw a job that the controller did not create or forgot: #1'), ...rests(120)],
    ],
  ])('%s', (_, shown, expected) => {
    expect(shown()).toEqual(expected);
  });

  const history = [
    tick({ successfulJobsHistoryLimit: 1 }, { lastScheduleTime: minute(180), lastSuccessfulTime: minute(185) }),
    ...[1, 2, 3].map((each) => runOf(each, { as: 'Complete', after: 5 })),
  ];
  it.each<Row>([
    [
      'beyond the history goes',
      () => sync(history, 190),
      [`no run is due; requeue at ${minute(240)}`, deletes('#1'), deletes('#2'), ...rests(240)],
    ],
    [
      'that cannot be deleted stays',
      () => after(history, 190, 'delete', { refused: { message: 'no' } }),
      ['#1 could not be deleted; the other writes are made', deletes('#2'), ...next(240)],
    ],
  ])('%s', (_, shown, expected) => {
    expect(shown()).toEqual(expected);
  });
});

describe('a refusal', () => {
  const creating = (refused: object, objects: Situation['objects'] = [tick()], second = 61) =>
    after(objects, second, 'create', { refused });
  const two = [ran({ active: [listed(0), listed(1)] }, { concurrencyPolicy: 'Replace' }), runOf(0), runOf(1)];
  it.each<Row>([
    [
      'to create a Job is reported and retried',
      () => creating({ reason: 'Forbidden', message: 'no' }),
      ['the Job could not be created: no', event('Warning', 'FailedCreate', 'Error creating job: no'), ...RETRIES],
    ],
    [
      'without a text, too, and those that were replaced are left out',
      () => creating({ reason: 'Forbidden' }, policy('Replace'), 121),
      [
        'the Job could not be created: ',
        event('Warning', 'FailedCreate', 'Error creating job: '),
        status('lastScheduleTime:00:01:00'),
        ...RETRIES,
      ],
    ],
    [
      'of a Job that exists is retried',
      () => creating({ reason: 'AlreadyExists', message: 'no' }),
      ['#1 exists already: requeue', ...RETRIES],
    ],
    [
      'in a namespace that goes waits for the next run',
      () => creating({ reason: 'Forbidden', message: 'no', details: { causes: [{ reason: 'NamespaceTerminating' }] } }),
      ['its namespace is being deleted, so no Job can be created in it', ...rests(120)],
    ],
    [
      'to read a Job to replace changes nothing',
      () => after(policy('Replace'), 121, 'get', { refused: { reason: 'NotFound', message: 'gone' } }),
      ['a running Job could not be replaced: gone', ...RETRIES],
    ],
    [
      'to delete it changes nothing',
      () => after(policy('Replace'), 121, 'delete', { refused: { message: 'no' } }),
      ['a running Job could not be replaced: no', ...RETRIES],
    ],
    [
      'to delete a second one leaves out the first',
      () =>
        lines(
          recover(
            cronJob,
            { objects: two, now: at(121), memory: decide(cronJob, { objects: two, now: at(121) }).memory },
            { write: { op: 'delete', kind: 'Job', name: nameOf(1), namespace: 'default' }, status: {} as never, dropped: [] },
          ),
        ),
      ['a running Job could not be replaced: ', status(BEGUN), ...RETRIES],
    ],
    [
      'of the status is retried',
      () =>
        lines(
          recover(
            cronJob,
            { objects: [tick()], now: at(61), memory: { step: 'written', over: '7', at: at(61) } },
            { write: { op: 'update', object: tick() }, status: { message: 'no' } as never, dropped: [] },
          ),
        ),
      ['the status could not be written: no', ...RETRIES],
    ],
    [
      'after another start of the controller has no effect',
      () => lines(resume(cronJob, { objects: [tick()], now: at(61) }, { write: { op: 'get', kind: 'Job', name: 'x' }, object: undefined })),
      ['no read was pending', 'memory: null'],
    ],
  ])('%s', (_, shown, expected) => {
    expect(shown()).toEqual(expected);
  });
});
