/** What an Event may be, with an event time and without. */
import { describe, expect, it } from 'vitest';
import { setup } from '../../handlers/setup.ts';
import { causesOf, causesOfUpdate, check, NAME_PART } from './causes.ts';

const REPORTED = { eventTime: '2024-03-01T00:00:00.000000Z', reportingComponent: 'a/b', reportingInstance: 'x', action: 'a', reason: 'r' };

const event = (rest: object): object => ({
  apiVersion: 'v1',
  kind: 'Event',
  metadata: { name: 'e', namespace: 'default' },
  involvedObject: { kind: 'Pod', namespace: 'default', name: 'p' },
  ...rest,
});
const reported = (rest: object): object => event({ ...REPORTED, ...rest });

const MISMATCH = 'involvedObject.namespace: Invalid value: "": does not match event.namespace';
const OF_CLUSTER = { kind: 'Node', name: 'n' };

describe('an event about an object of the cluster', () => {
  const world = setup();
  world.ok({ verb: 'create', kind: 'Namespace', body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'other' } } });
  it.each<[string, object, readonly string[]]>([
    ['default', {}, []],
    ['kube-system', {}, [MISMATCH]],
    ['other', {}, [MISMATCH]],
    ['default', REPORTED, []],
    ['kube-system', REPORTED, []],
    ['other', REPORTED, [MISMATCH]],
  ])('in %s, with %j', (namespace, rest, causes) => {
    const body = event({ ...rest, metadata: { name: 'e', namespace }, involvedObject: OF_CLUSTER });
    expect(causesOf(body, world, { namespace })).toEqual(causes);
  });
});

describe('an event without a time', () => {
  check([
    ['needs no reporter', event({}), []],
    [
      'is in the namespace of its object',
      event({ involvedObject: { kind: 'Pod', namespace: 'x', name: 'p' } }),
      ['involvedObject.namespace: Invalid value: "x": does not match event.namespace'],
    ],
    ['of the cluster is in the default namespace', event({ involvedObject: { kind: 'Node', name: 'n' } }), []],
    ['may have any name', event({ metadata: { name: 'A_b..', namespace: 'default' } }), []],
    ['may have long texts', event({ message: 'm'.repeat(1025), reason: 'r'.repeat(129) }), []],
  ]);
});

describe('an event with a time', () => {
  check([
    ['has a reporter', reported({}), []],
    [
      'has all that it needs',
      reported({ reportingComponent: '', reportingInstance: '', action: '', reason: '' }),
      [
        'reportingComponent: Required value',
        'reportingComponent: Invalid value: "": name part must be non-empty',
        `reportingComponent: Invalid value: "": ${NAME_PART}`,
        'reportingInstance: Required value',
        'action: Required value',
        'reason: Required value',
      ],
    ],
    ['may be about another namespace', reported({ involvedObject: { kind: 'Pod', namespace: 'x', name: 'p' } }), []],
    ['has a qualified reporter', reported({ reportingComponent: 'a b' }), [`reportingComponent: Invalid value: "a b": ${NAME_PART}`]],
    [
      'has texts of 128 characters',
      reported({ reportingInstance: 'x'.repeat(128), action: 'a'.repeat(128), reason: 'r'.repeat(128), message: 'm'.repeat(1024) }),
      [],
    ],
    [
      'has no longer ones',
      reported({ reportingInstance: 'x'.repeat(129), action: 'a'.repeat(129), reason: 'r'.repeat(129), message: 'm'.repeat(1025) }),
      [
        'reportingInstance: Invalid value: "": can have at most 128 characters',
        'action: Invalid value: "": can have at most 128 characters',
        'reason: Invalid value: "": can have at most 128 characters',
        'message: Invalid value: "": can have at most 1024 characters',
      ],
    ],
  ]);
});

describe('a client of events/v1', () => {
  const current = { type: 'Normal', ...REPORTED };
  const series = (count: unknown, lastObservedTime?: string) => ({ series: { count, lastObservedTime } });
  const unset = (field: string): string => `${field}: Invalid value: "": needs to be unset`;
  const FEW = 'series.count: Invalid value: "": should be at least 2';
  const TIMELESS = 'series.lastObservedTime: Required value';
  const AT = '2024-03-01T00:00:00.000000Z';
  const fixed = (field: string, value: string): string => `${field}: Invalid value: ${value}: field is immutable`;

  it.each<[string, object, readonly string[]]>([
    ['all that is needed', {}, []],
    ['a warning', { type: 'Warning' }, []],
    ['no type', { type: '' }, ['type: Invalid value: "": has invalid value: ']],
    ['another type', { type: 'Other' }, ['type: Invalid value: "": has invalid value: Other']],
    ['no time', { eventTime: null }, ['eventTime: Required value']],
    [
      'what older clients report',
      { firstTimestamp: AT.replace('.000000', ''), lastTimestamp: AT.replace('.000000', ''), count: 1, source: { component: 'c' } },
      ['firstTimestamp', 'lastTimestamp', 'count', 'source'].map(unset),
    ],
    ['only a host', { source: { host: 'h' }, count: 0 }, [unset('source')]],
    [
      'no reporter',
      { reportingComponent: '' },
      [
        'reportingController: Required value',
        'reportingController: Invalid value: "": name part must be non-empty',
        `reportingController: Invalid value: "": ${NAME_PART}`,
      ],
    ],
    ['a series', series(2, AT), []],
    ['a short series', series(1, AT), [FEW]],
    ['a series without anything', { series: {} }, [FEW, TIMELESS]],
    ['a series of no time', series(2), [TIMELESS]],
  ])('creates an event with %s', (_, rest, causes) => {
    expect(causesOf(event({ ...current, ...rest }), setup(), { version: 'events/v1' })).toEqual(causes);
  });

  it.each<[string, object, readonly string[]]>([
    ['nothing', {}, []],
    ['its labels', { metadata: { name: 'e', namespace: 'default', labels: { a: 'b' } } }, []],
    ['its series', series(3, AT), []],
    ['its series to a wrong one', series(1), [FEW, TIMELESS]],
    [
      'all else',
      { reason: 'x', message: 'x', count: 1, type: 'Other', action: 'x', reportingComponent: 'x', reportingInstance: 'y' },
      [
        fixed('reason', '"x"'),
        fixed('message', '"x"'),
        fixed('count', '1'),
        fixed('type', '"Other"'),
        fixed('action', '"x"'),
        fixed('reportingController', '"x"'),
        fixed('reportingInstance', '"y"'),
      ],
    ],
  ])('changes %s', (_, rest, causes) => {
    const [old, alter] = [event({ ...current, ...series(2, AT) }), (made: object) => ({ ...made, ...rest })];
    expect(causesOfUpdate(old, alter, setup(), { version: 'events/v1' })).toEqual(causes);
  });

  it('may keep a series that is wrong: older clients wrote it', () => {
    const alter = (made: object): object => ({ ...made, metadata: { name: 'e', namespace: 'default', labels: { a: 'b' } } });
    expect(causesOfUpdate(event({ ...current, ...series(1) }), alter, setup(), { version: 'events/v1' })).toEqual([]);
  });

  it('of the beta has its name of the reporter and no stricter rules', () => {
    const beta = (rest: object) => causesOf(event(rest), setup(), { version: 'events/v1beta1' });
    expect(beta({})).toEqual([]);
    expect(beta({ ...REPORTED, reportingComponent: 'a b' })).toEqual([`reportingController: Invalid value: "a b": ${NAME_PART}`]);
  });
});
