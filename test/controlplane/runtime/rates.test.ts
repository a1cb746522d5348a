/** Limits on the client side: the tokens of a client, of a queue, and of the events about an object. */
import { describe, expect, it } from 'vitest';
import type { EventText } from '../../../src/controlplane/runtime/index.ts';
import { Correlator } from '../../../src/controlplane/runtime/event-correlator.ts';
import { createLimiter, createTokenBucket, exponentialDelayMs } from '../../../src/controlplane/runtime/rate.ts';

describe('a limiter', () => {
  it('lets a burst pass, then one request per period, in order', () => {
    const { take, describe: left } = createLimiter({ qps: 20, burst: 3 });
    expect(left(1_000)).toBe(3);
    expect([take(1_000), take(1_000), take(1_000), take(1_000), take(1_000)]).toEqual([0, 0, 0, 50, 100]);
    expect(left(1_000)).toBe(-2);
    expect([take(1_050), take(1_200)]).toEqual([100, 0]);
    expect(left(1_200)).toBe(0);
    expect(left(60_000)).toBe(3);
  });

  it('rounds a wait up to whole milliseconds', () => {
    const { take } = createLimiter({ qps: 3, burst: 1 });
    expect([take(0), take(0), take(1)]).toEqual([0, 334, 666]);
  });
});

it('a back-off doubles up to its maximum', () => {
  expect([0, 1, 2, 3, 7, 8, 9, 5_000].map((failures) => exponentialDelayMs(failures, 5, 1_000))).toEqual([
    5, 10, 20, 40, 640, 1_000, 1_000, 1_000,
  ]);
  expect(exponentialDelayMs(0, 2_000, 1_000)).toBe(1_000);
});

it('a bucket gives tokens of the future when it is empty', () => {
  const { reserve, describe: fullAt } = createTokenBucket(2, 100);
  expect([reserve(1_000), reserve(1_000), reserve(1_000), reserve(1_000)]).toEqual([0, 0, 100, 200]);
  expect(fullAt()).toBe(1_400);
  expect([reserve(1_300), reserve(9_000)]).toEqual([0, 0]);
  expect(fullAt()).toBe(9_100);
});

const MINUTE = 60_000;
const text = (metadata: object, more: object = {}): EventText => ({
  about: { kind: 'Pod', metadata: { name: 'p', ...metadata } },
  type: 'Normal',
  reason: 'Started',
  message: '',
  ...more,
});

/** Observes messages at instants; each new event gets the next number as its name. */
function correlate(event: EventText = text({ uid: 'u' }), correlator = new Correlator(), names = { last: 0 }) {
  return (message: string, now = 0): unknown => {
    const verdict = correlator.observe(event, message, now, ({ about }) => `${about.metadata.name}.${++names.last}`);
    return verdict.kind === 'drop' ? 'drop' : [verdict.kind, verdict.sighting.name, verdict.sighting.count, verdict.message];
  };
}

describe('the events about an object', () => {
  it('are counted when they are the same, and new when they are not', () => {
    const see = correlate();
    expect([see('a'), see('a'), see('b'), see('a'), see('b')]).toEqual([
      ['create', 'p.1', 1, 'a'],
      ['count', 'p.1', 2, 'a'],
      ['create', 'p.2', 1, 'b'],
      ['count', 'p.1', 3, 'a'],
      ['count', 'p.2', 2, 'b'],
    ]);
  });

  it('are combined from the tenth different message within ten minutes', () => {
    const see = correlate();
    for (let at = 1; at <= 9; at++) expect(see(`m${at}`, at)).toEqual(['create', `p.${at}`, 1, `m${at}`]);
    expect(see('m3', 9)).toEqual(['count', 'p.3', 2, 'm3']);
    expect(see('m10', 10)).toEqual(['create', 'p.10', 1, '(combined from similar events): m10']);
    expect(see('m11', 11)).toEqual(['count', 'p.10', 2, '(combined from similar events): m11']);
    expect(see('m1', 12)).toEqual(['count', 'p.10', 3, '(combined from similar events): m1']);
    // Each combined one makes place for another, so one of the last nine is an event of its own. So are all after ten minutes.
    expect(see('m5', 12 + 10 * MINUTE)).toEqual(['count', 'p.5', 2, 'm5']);
    expect(see('m13', 12 + 10 * MINUTE)).toEqual(['count', 'p.10', 4, '(combined from similar events): m13']);
    expect(see('m12', 13 + 20 * MINUTE)).toEqual(['create', 'p.11', 1, 'm12']);
    expect(see('m5', 13 + 20 * MINUTE)).toEqual(['count', 'p.5', 3, 'm5']);
    expect(see('m12', 13 + 20 * MINUTE)).toEqual(['count', 'p.11', 2, 'm12']);
  });

  it('keep the first message of a group over a pause', () => {
    const see = correlate();
    see('a');
    expect(see('b', 11 * MINUTE)).toEqual(['create', 'p.2', 1, 'b']);
    expect(see('a', 11 * MINUTE)).toEqual(['count', 'p.1', 2, 'a']);
    expect(see('a', 22 * MINUTE)).toEqual(['count', 'p.1', 3, 'a']);
  });

  it('are dropped after twenty-five, but one every five minutes', () => {
    const see = correlate();
    const kinds = (now: number, count: number): string[] =>
      Array.from({ length: count }, () => (see('a', now) === 'drop' ? 'drop' : 'pass'));
    expect(kinds(0, 26)).toEqual([...Array.from({ length: 25 }, () => 'pass'), 'drop']);
    expect(kinds(5 * MINUTE - 1, 1)).toEqual(['drop']);
    expect(kinds(5 * MINUTE, 2)).toEqual(['pass', 'drop']);
    expect(see('a', 10 * MINUTE)).toEqual(['count', 'p.1', 30, 'a']);
    expect(kinds(1_000 * MINUTE, 26)).toEqual([...Array.from({ length: 25 }, () => 'pass'), 'drop']);
  });

  it('are grouped by type, reason and object: its uid, or its kind, namespace and name', () => {
    const correlator = new Correlator();
    const names = { last: 0 };
    const known = (metadata: object, more?: object): boolean => {
      const [kind] = correlate(text(metadata, more), correlator, names)('a') as readonly string[];
      return kind === 'count';
    };
    expect([
      known({ uid: 'u' }),
      known({ uid: 'u', name: 'other' }),
      known({ uid: 'v' }),
      known({ uid: 'u' }, { reason: 'Failed' }),
      known({ uid: 'u' }, { type: 'Warning' }),
      known({ uid: 'u' }, { type: 'Warning', reason: 'Failed' }),
      known({ uid: 'u' }, { type: 'Warning', reason: 'Failed' }),
      known({ uid: 'u' }),
      known({}),
      known({ uid: '' }),
      known({ namespace: 'n' }),
      known({ namespace: 'n' }, { about: { kind: 'Job', metadata: { name: 'p', namespace: 'n' } } }),
      known({ namespace: 'n' }),
      known({ namespace: 'm' }),
    ]).toEqual([false, true, false, false, false, false, true, true, false, true, false, false, true, false]);
  });
});
