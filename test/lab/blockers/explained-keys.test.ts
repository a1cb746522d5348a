/** What each explainer says, from a moment made by hand: objects that do not exist, and keys of controllers. */
import { describe, expect, it } from 'vitest';
import type { ApiObject } from '../../../src/apiserver/machinery/index.ts';
import { at, check, checkAll, explained, objectOf, processOf, timeAt, type Given } from './moment.ts';

const CLUSTER = { namespace: undefined };
const SPACE = objectOf('Namespace', 'default', { metadata: CLUSTER });

describe('an object that does not exist', () => {
  const at9 = (type: string, more: object = {}): object => ({
    type: 'write',
    at: at(9),
    actor: 'kubectl',
    change: { kind: 'Pod', key: 'default/web-1', type, object: { metadata: {} } },
    ...more,
  });
  const refusal = (request: string, more: object = {}): object => ({
    type: 'refusal',
    at: at(9),
    actor: 'kubectl',
    request,
    status: { code: 403, message: 'quota' },
    ...more,
  });
  const of = (objects: readonly ApiObject[], entries: readonly object[] = [], name = 'web-1', kind = 'Pod') =>
    explained(objects, { entries }, objectOf(kind, name));

  it('was deleted, refused, or not created', () => {
    expect([
      of([SPACE], [at9('ADDED'), at9('DELETED')]),
      of([SPACE], [at9('DELETED', { controller: 'job' }), refusal('create Pod default/other')]),
      of([SPACE], [at9('DELETED'), at9('ADDED')]),
      of([SPACE], [refusal('create Pod default/web-1')]),
      of([SPACE], [refusal('create Pod default/web-1', { controller: 'x', status: {} })]),
      of([SPACE], [refusal('update Pod default/web-1')]),
      of([]),
      of([SPACE]),
    ]).toEqual([
      ['Pod web-1 does not exist: kubectl deleted it at 9.000s (#2)'],
      ['Pod web-1 does not exist: job deleted it at 9.000s (#1)'],
      [],
      ['Pod web-1 does not exist: the server refused its creation by kubectl at 9.000s (#1): 403 quota'],
      ['Pod web-1 does not exist: the server refused its creation by x at 9.000s (#1):  '],
      [],
      ['Pod web-1 does not exist, and neither does its namespace default'],
      [],
    ]);
  });

  it('is made by its owner, or cannot be made', () => {
    const set = objectOf('StatefulSet', 'web', { spec: { replicas: 0, updateStrategy: {} }, status: {} });
    const going = objectOf('Namespace', 'default', { metadata: { ...CLUSTER, deletionTimestamp: timeAt(9) }, spec: {} });
    expect([
      of([set, SPACE]),
      of([set, SPACE], [], 'web-x'),
      of([objectOf('CronJob', 'web', { spec: { suspend: true } }), SPACE], [], 'web-1', 'Job'),
      of([going]),
    ]).toEqual([
      ['Pod web-1 does not exist; StatefulSet web creates it'],
      [],
      ['Job web-1 does not exist; CronJob web creates it', '  CronJob web is suspended: no run starts before spec.suspend is false'],
      ['Pod web-1 does not exist: its namespace default is being deleted'],
    ]);
  });
});

describe('the key of an object in its controller', () => {
  const map = objectOf('ConfigMap', 'c');
  const held = (parts: object, more: object = {}): Given => ({
    processes: [
      processOf('m', [], {
        controllers: [
          {
            name: 'x',
            reconciles: 'ConfigMap',
            keys: [
              { key: 'default/other', failures: 9, awaits: [] },
              { key: 'default/c', failures: 0, awaits: [], backingOff: false, ...parts },
            ],
          },
        ],
        ...more,
      }),
    ],
  });
  const decided = (at_: number, failures: number): object => ({
    type: 'reconcile',
    id: at_,
    at: at(at_),
    process: 'm',
    controller: 'x',
    key: 'default/c',
    failures,
    why: 'it tries',
  });

  it('is explained in every state', () => {
    checkAll([
      [[map], [], held({})],
      [
        [map],
        ['is not retried by x until 2m00.000s: back-off after 3 failures in a row @120'],
        held({ backingOff: true, delayedUntil: at(120), failures: 3 }),
      ],
      [[map], ['has failed 2 times in a row for x, which retries on the next change'], held({ failures: 2 })],
      [
        [map],
        ['waits until the cache of m shows what x wrote: Pod rv 5 and Job rv 6'],
        held({
          awaits: [
            { kind: 'Pod', revision: 5 },
            { kind: 'Job', revision: 6 },
          ],
        }),
      ],
      [[map], ['is being written by x, 2 writes to go: it makes two'], held({ writing: { why: 'it makes two', left: 2 } })],
      [[map], [], held({ writing: { why: 'done', left: 0 } })],
      [
        [map],
        ['has failed once for x, which retries on the next change: its count of 4 failures was reset at 5.000s (#1): it tries'],
        { ...held({ failures: 1 }), entries: [decided(5, 4), decided(6, 0)] },
      ],
      [
        [map],
        ['has no back-off with x: its count was lost when m crashed at 5.500s'],
        { ...held({}), entries: [decided(5, 4), { type: 'process', process: 'm', what: 'crashed', at: at(5.5) }, decided(6, 0)] },
      ],
      [
        [map],
        [],
        { ...held({}), entries: [decided(5, 0), { type: 'process', process: 'm', what: 'stopped', at: at(5.5) }, decided(6, 0)] },
      ],
      [[map], ['waits for its controller: m is down since 10.000s, and no restart is scheduled'], held({ failures: 2 }, { up: false })],
    ]);
  });

  it('is also said of a warning, the newest', () => {
    const event = (name: string, parts: object): ApiObject =>
      objectOf('Event', name, { type: 'Warning', involvedObject: { uid: 'uid-c' }, reason: 'Bad', message: 'so', ...parts });
    check(
      [
        map,
        event('a', { lastTimestamp: timeAt(5) }),
        event('b', { eventTime: timeAt(7), count: 3 }),
        event('c', { lastTimestamp: timeAt(9), type: 'Normal' }),
        event('d', { lastTimestamp: timeAt(9), reason: 'FailedScheduling' }),
        event('e', { lastTimestamp: timeAt(9), involvedObject: {} }),
      ],
      ['has a warning of 7.000s, 3 times: Bad: so'],
      {},
    );
  });

  it('is served by the process that leads', () => {
    const two = (first: object, second: object): Given => ({
      processes: [processOf('m', ['x: ConfigMap'], first), processOf('m-1', ['x: ConfigMap'], second)],
    });
    const standby = { leading: false };
    const lease = objectOf('Lease', 'm', { metadata: { namespace: 'orch-system' }, spec: {} });
    check([map], [], two({}, standby));
    check([map], ['waits for its controller: m and m-1 are on standby'], two(standby, standby));
    check(
      [map, lease],
      [
        'waits for its controller: m is down since 10.000s, and no restart is scheduled; m-1 is on standby',
        '  Lease m is free: the next candidate may acquire it',
      ],
      two({ up: false, leading: false }, standby),
    );
  });
});
