/** Pending events: how each is described, on which channel it is, and which wake-ups recur. */
import { describe, expect, it } from 'vitest';
import { Kernel, UNOFFERED } from '../../../src/engine/index.ts';
import {
  channelOf,
  describePending,
  Recurrences,
  type ClusterEvent,
  type EventResolver,
} from '../../../src/controlplane/runtime/pending.ts';

const resolver: EventResolver = {
  controllerOf: (number) => (number === 1 ? { process: 'manager', controller: 'job' } : undefined),
  keyOf: (number, keyId) => (number === 1 && keyId === 2 ? 'default/pi' : undefined),
  receiverOf: (stream) => (stream === 3 ? 'scheduler' : undefined),
};
const at = { running: 1, keyId: 2 };
const gone = { running: 9, keyId: 2 };
const emit = { type: 'emit', ticket: {} as never } as const;

describe('a pending event', () => {
  it.each<readonly [ClusterEvent, string, ReturnType<typeof channelOf>]>([
    [{ type: 'start', process: 'manager', incarnation: 0 }, 'the start of manager', undefined],
    [{ type: 'deliver', to: [8, 3], kind: 'Pod', revision: 1 }, 'the delivery of a Pod change to scheduler', 3],
    [{ type: 'deliver', to: [3, 8], kind: 'Pod', revision: 1 }, 'the delivery of a Pod change to a stopped process', 8],
    [{ type: 'deliver', to: [3], kind: 'Pod', revision: 1 }, 'the delivery of a Pod change to a stopped process', undefined],
    [{ type: 'due', ...at, because: 'wake' }, 'job waking for default/pi', undefined],
    [{ type: 'reconcile', ...at }, 'job reconciling default/pi', undefined],
    [{ type: 'reconcile', running: 1, keyId: 7 }, 'job reconciling nothing', undefined],
    [{ type: 'reconcile', ...gone }, 'a stopped controller reconciling nothing', undefined],
    [{ type: 'apply', ...at, index: 0 }, 'write 1 of job for default/pi', undefined],
    [{ ...emit, running: 1 }, 'an event of manager', UNOFFERED],
    [{ ...emit, running: 9 }, 'an event of a stopped process', UNOFFERED],
    [{ type: 'skew', process: 'manager', skewMs: 5 }, 'the clock of manager being set', UNOFFERED],
    [{ type: 'operation', id: 1, label: 'step 4' }, 'step 4', 'operation'],
    [{ type: 'expire', key: 'default/e', revision: 1 }, 'the expiry of event default/e', UNOFFERED],
  ])('%j is %s', (event, phrase, channel) => {
    expect(describePending(event, 1, resolver)).toBe(phrase);
    expect(channelOf(event, 1)).toBe(channel);
  });
});

it('wake-ups recur while they are pending, in the order in which they were first noted', () => {
  const kernel = new Kernel<ClusterEvent>({ startAt: 0, describe: ({ type }) => type, handle: () => undefined });
  const recurrences = new Recurrences();
  const recurrence = (key: string, everyMs = 1) => ({ process: 'm', controller: 'cron-job', kind: 'CronJob', key, everyMs, does: 'fires' });
  const wake = (key: string, when: number, everyMs?: number) => {
    const pending = kernel.schedule(when, { type: 'due', running: 0, keyId: 0, because: 'wake' });
    recurrences.note(pending, recurrence(key, everyMs));
    return pending;
  };
  wake('a', 10);
  wake('b', 20);
  const cancelled = wake('c', 30);
  expect(recurrences.pending()).toEqual([recurrence('a'), recurrence('b'), recurrence('c')]);
  kernel.cancel(cancelled);
  kernel.runUntil(10);
  expect(recurrences.atMost).toBe(3);
  expect(recurrences.pending()).toEqual([recurrence('b')]);
  expect(recurrences.atMost).toBe(1);
  wake('a', 40);
  wake('b', 50, 9);
  expect(recurrences.pending()).toEqual([recurrence('b', 9), recurrence('a')]);
});
