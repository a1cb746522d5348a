/** How it is known that programs are idle, ready or polling. */
import { describe, expect, it } from 'vitest';
import type { ClientEvent } from '../../../src/surfaces/http/index.ts';
import { createActivity, type Pace } from '../../../src/surfaces/drive/activity.ts';
import { createPolling, pollKey } from '../../../src/surfaces/drive/polling.ts';
import { answers, createReadiness } from '../../../src/surfaces/drive/readiness.ts';

const event = (type: string, more: object = {}): ClientEvent =>
  ({ type, client: 'a', verb: 'list', kind: 'Pod', target: '/pods', ...more }) as unknown as ClientEvent;
const ANSWER = event('answer', { status: 200 });

describe('a poll', () => {
  it('is a read that a client repeats, but not of leases', () => {
    expect([event('request'), event('answer'), event('request', { verb: 'get', target: '/pods/a' })].map(pollKey)).toEqual([
      '/pods',
      '/pods',
      '/pods/a',
    ]);
    for (const none of [
      event('shown'),
      event('opens'),
      event('request', { verb: 'watch' }),
      event('request', { kind: 'Lease' }),
      event('request', { kind: undefined }),
    ])
      expect(pollKey(none)).toBeUndefined();
  });

  /** A client that has read at these instants, milliseconds from now; virtual time is that of the clock. */
  const polled = (instants: readonly number[], { idleMs = 10, virtual = 0, events = [] as readonly ClientEvent[] } = {}) => {
    const polling = createPolling(idleMs, () => virtual);
    const now = performance.now();
    for (const each of events) polling.note(each, now);
    const repeats = instants.map((at) => polling.note(event('request'), now + at));
    return { polling, repeats, now };
  };

  it('is recognised by its second time, where it does not flood', () => {
    expect(polled([-2_000, -1_000, 0]).repeats).toEqual([false, true, true]);
    expect(polled([-9, 0]).repeats).toEqual([false, false]);
    expect(polled([-10, 0]).repeats).toEqual([false, true]);
    expect(polled([-2_000, -1_000], { events: [event('opens')] }).repeats).toEqual([false, false]);
    expect(polled([-2_000, -1_000], { events: [event('opens'), event('closes')] }).repeats).toEqual([false, true]);
  });

  it('is waited for by its period, unless it is rare, late, or of a client that watches or has ended', () => {
    expect(polled([-1_000, 0]).polling.everyMs()).toBeCloseTo(1_000);
    expect(polled([-1_000]).polling.everyMs()).toBe(0);
    expect(polled([-10_000, 0]).polling.everyMs()).toBeCloseTo(10_000);
    expect(polled([-10_001, 0]).polling.everyMs()).toBe(0);
    // Two periods and two seconds later it does not come any more.
    expect(polled([-4_900, -3_900]).polling.everyMs()).toBeCloseTo(1_000);
    expect(polled([-6_000, -5_000]).polling.everyMs()).toBe(0);
    expect(polled([-1_000, 0], { events: [event('opens')] }).polling.everyMs()).toBe(0);
    const { polling, now } = polled([-1_000, 0]);
    polling.note(event('request', { target: '/other' }), now - 3_000);
    polling.note(event('request', { target: '/other' }), now);
    expect(polling.everyMs()).toBeCloseTo(3_000);
    polling.left('a');
    expect(polling.everyMs()).toBe(0);
  });

  it('holds virtual time back beyond its period, until it has come', () => {
    const { polling, now } = polled([-6_000, -1_000], { virtual: 500 });
    // Time passed after its last one, and would pass beyond the next.
    expect(polling.missing(5_501, now)).toBeGreaterThan(3_000);
    expect(polling.missing(5_501, now)).toBeLessThan(4_001);
    expect(polling.missing(5_500, now)).toBe(0);
    expect(polling.missing(5_501, now - 1_000)).toBe(0);
    // It is late: a moment is missing.
    expect(polled([-2_600, -1_500]).polling.missing(1e9, now)).toBe(1);
  });

  it('is one of at most 64 reads of a client', () => {
    const { polling, now } = polled([]);
    const read = (target: number, at: number): boolean => polling.note(event('request', { target: `/${target}` }), now + at);
    for (let target = 1; target <= 65; target++) read(target, -1_000);
    expect([read(64, 0), read(65, 0)]).toEqual([true, false]);
  });
});

describe('a program', () => {
  const ready = (...events: readonly ClientEvent[]) => {
    const readiness = createReadiness();
    for (const each of events) readiness.note(each);
    return {
      seen: readiness.isSeen(),
      polls: readiness.polls(),
      may: readiness.mayPoll(),
      watches: readiness.watches(),
      says: readiness.says(),
    };
  };

  it('is seen to be ready when it watches, asks for its lease, or reads again what it has read', () => {
    const none = { seen: false, polls: false, may: false, watches: [] };
    expect(ready()).toEqual({ ...none, says: 'it has sent no request' });
    expect(ready(event('request'))).toEqual({ ...none, says: 'it has sent 1 request (the last: list Pod) and watches nothing' });
    expect(ready(event('request', { kind: 'Lease', verb: 'get' }))).toMatchObject({
      seen: true,
      says: 'it has sent 1 request (the last: get Lease) and watches nothing',
    });
    expect(ready(event('opens'), event('opens', { kind: 'Node' }))).toMatchObject({
      seen: true,
      watches: ['Pod', 'Node'],
      says: 'it has sent no request',
    });
    expect(ready(event('opens'), event('opens'), event('closes'))).toMatchObject({ seen: true, watches: ['Pod'] });
    expect(ready(event('opens'), event('closes'))).toMatchObject({ seen: false, watches: [] });
    expect(ready(ANSWER)).toMatchObject({ seen: false, polls: false, may: true });
    expect(ready(ANSWER, ANSWER)).toMatchObject({ seen: true, polls: true, may: false });
    expect(ready(ANSWER, event('answer', { status: 200, target: '/nodes' }))).toMatchObject({ seen: false, may: true });
    expect(ready(event('answer', { status: 404 }), event('answer', { status: 404 }))).toMatchObject({ seen: false, may: false });
    expect(ready(ANSWER, ANSWER, event('opens'))).toMatchObject({ polls: false, may: false });
    expect(
      ready(
        event('request', { kind: undefined, target: '/healthz', verb: 'get' }),
        event('opens'),
        event('request'),
        event('opens', { kind: 'Job' }),
      ),
    ).toMatchObject({
      says: 'it has sent 2 requests (the last: list Pod) and watches Pod, Job',
    });
    expect(ready(event('request', { kind: undefined, target: '/healthz', verb: 'get' })).says).toContain('(the last: get /healthz)');
  });

  it('may be asked at a URL of its own', async () => {
    expect(await answers('http://127.0.0.1:1/readyz')).toBe(false);
    expect(await answers('data:text/plain,ok')).toBe(true);
  });
});

describe('virtual time', () => {
  const HOUR = 3_600_000;
  const activity = (pace: Partial<Pace>, clock = { now: 0 }) => createActivity({ idleMs: 0, timersMs: 0, ...pace }, () => clock.now);

  it('may pass while programs are idle', () => {
    expect(activity({}).mayPass(1_000)).toBe(true);
    expect(activity({ idleMs: HOUR }).mayPass(1_000)).toBe(false);
    expect(activity({ idleMs: HOUR }).remaining(1_000)).toBeGreaterThan(HOUR - 60_000);
    expect(activity({}).remaining(1_000)).toBe(1);
    expect([activity({}).quietFor(0), activity({}).quietFor(HOUR)]).toEqual([true, false]);
  });

  it('stands while a request is being answered, unless it waits for virtual time', () => {
    const each = activity({});
    const may = (type: string): readonly boolean[] => {
      each.note(event(type));
      return [each.mayPass(1_000), each.quietFor(0)];
    };
    expect([may('request'), may('request'), may('answer'), may('answer')]).toEqual([
      [false, false],
      [false, false],
      [false, false],
      [true, true],
    ]);
    expect([may('request'), may('waits'), may('goesOn'), may('answer')]).toEqual([
      [false, false],
      [true, true],
      [false, false],
      [true, true],
    ]);
    expect(may('shown')).toEqual([true, true]);
    expect(each.requests.get('a')).toBe(3);
  });

  it('stands while a timer may run, and no longer than it passes', () => {
    const clock = { now: 0 };
    const timed = activity({ timersMs: HOUR }, clock);
    expect([timed.mayPass(0), timed.mayPass(HOUR)]).toEqual([true, false]);
    expect(timed.remaining(HOUR / 2)).toBeLessThanOrEqual(HOUR / 2);
    clock.now = HOUR;
    expect([timed.mayPass(HOUR), timed.mayPass(2 * HOUR)]).toEqual([true, false]);
  });

  it('is no faster than the clock of the host where a speed is asked for', () => {
    expect(activity({ speed: 1 }).mayPass(HOUR)).toBe(false);
    expect(activity({ speed: 2 }).remaining(HOUR)).toBeLessThanOrEqual(HOUR / 2);
    expect(activity({ speed: 2 }).remaining(HOUR)).toBeGreaterThan(HOUR / 2 - 60_000);
    expect([activity({ speed: 1 }).mayPass(0), activity({ speed: 1 }).mayPass(Infinity)]).toEqual([true, true]);
  });

  it('that has passed begins the count of requests again, as programs that begin do', () => {
    const clock = { now: 0 };
    const each = activity({}, clock);
    each.note(event('request'));
    each.note(ANSWER);
    each.mayPass(0);
    expect(each.requests.size).toBe(1);
    clock.now = 1;
    each.mayPass(2);
    expect(each.requests.size).toBe(0);
    each.note(event('request'));
    each.begin();
    expect(each.requests.size).toBe(0);
  });
});
