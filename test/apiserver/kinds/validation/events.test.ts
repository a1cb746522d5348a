/** What an Event may be, with an event time and without. */
import { describe } from 'vitest';
import { check, NAME_PART } from './causes.ts';

const REPORTED = { eventTime: '2024-03-01T00:00:00.000000Z', reportingComponent: 'a/b', reportingInstance: 'x', action: 'a', reason: 'r' };

const event = (rest: object): object => ({
  apiVersion: 'v1',
  kind: 'Event',
  metadata: { name: 'e', namespace: 'default' },
  involvedObject: { kind: 'Pod', namespace: 'default', name: 'p' },
  ...rest,
});
const reported = (rest: object): object => event({ ...REPORTED, ...rest });

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
