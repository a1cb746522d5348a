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
  /** A program at this pace, with both clocks in hand. */
  const paced = (pace: Partial<Pace>) => {
    const clock = { real: 1_000, virtual: 0 };
    const activity = createActivity(
      { idleMs: 0, timersMs: 0, ...pace },
      () => clock.virtual,
      () => clock.real,
    );
    return { ...activity, clock };
  };

  it('may pass when a program has been idle for long enough', () => {
    const { clock, mayPass, remaining, quietFor, note, stir, touch } = paced({ idleMs: 20 });
    const at = (real: number): readonly unknown[] => {
      clock.real = real;
      return [mayPass(500), remaining(500), quietFor(20)];
    };
    expect([at(1_000), at(1_019), at(1_020)]).toEqual([
      [false, 20, false],
      [false, 1, false],
      [true, 1, true],
    ]);
    for (const act of [() => note(event('shown')), stir, touch]) {
      const began = clock.real;
      act();
      expect([at(began + 19), at(began + 20)]).toEqual([
        [false, 1, false],
        [true, 1, true],
      ]);
    }
  });

  it('stands while a request is being answered, unless it waits for virtual time', () => {
    const { note, mayPass, quietFor, requests } = paced({});
    const may = (type: string): readonly boolean[] => {
      note(event(type));
      return [mayPass(1_000), quietFor(0)];
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
    expect(requests.get('a')).toBe(3);
  });

  it('stands while a timer may run after news, no longer than it passes, and then goes as real time does', () => {
    const { clock, mayPass, remaining, note } = paced({ timersMs: 200 });
    const at = (real: number, to: number): readonly unknown[] => {
      clock.real = real;
      return [mayPass(to), remaining(to)];
    };
    expect([at(1_000, 500), at(1_199, 500), at(1_200, 500), at(1_000, 50), at(1_050, 50)]).toEqual([
      [false, 200],
      [false, 1],
      [true, 1],
      [false, 50],
      [true, 1],
    ]);
    // News begins the timer again; a lease, a poll and an answer are no news.
    const newsAt = (real: number, each: ClientEvent): unknown => {
      clock.real = real;
      note(each);
      return remaining(10_000);
    };
    expect(newsAt(1_300, event('shown'))).toBe(200);
    expect(newsAt(1_350, event('shown', { kind: 'Lease' }))).toBe(150);
    expect(newsAt(1_360, ANSWER)).toBe(140);
    clock.virtual = 5_000;
    expect(at(1_500, 5_500)).toEqual([false, 200]);
    clock.real = 1_900;
    note(event('shown'));
    // With news again and again, an instant that is 500 ms away comes after 500 ms.
    expect(at(1_900, 5_500)).toEqual([false, 100]);
  });

  it('is no faster than the clock of the host where a speed is asked for', () => {
    const { clock, mayPass, remaining } = paced({ speed: 2 });
    const at = (real: number, to: number): readonly unknown[] => {
      clock.real = real;
      return [mayPass(to), remaining(to)];
    };
    expect([at(1_000, 1_000), at(1_499, 1_000), at(1_500, 1_000), at(1_000, Infinity), at(1_000, 0)]).toEqual([
      [false, 500],
      [false, 1],
      [true, 1],
      [true, 1],
      [true, 1],
    ]);
  });

  it('waits for programs that poll, unless a speed is asked for', () => {
    for (const [pace, may] of [
      [{}, false],
      [{ speed: 1_000 }, true],
    ] as const) {
      const { clock, mayPass, note, pollsEveryMs, left } = paced(pace);
      for (const real of [2_000, 3_000]) {
        clock.real = real;
        note(event('request'));
        note(ANSWER);
      }
      clock.virtual = 500;
      clock.real = 3_100;
      expect([pollsEveryMs(), mayPass(5_000)]).toEqual([1_000, may]);
      left('a');
      expect([pollsEveryMs(), mayPass(5_000)]).toEqual([0, true]);
    }
  });

  it('that has passed begins the count of requests again, as programs that begin do', () => {
    const { clock, note, mayPass, requests, begin, stoodMs } = paced({});
    note(event('request'));
    note(ANSWER);
    mayPass(0);
    clock.real = 1_300;
    expect([requests.size, stoodMs()]).toEqual([1, 300]);
    clock.virtual = 1;
    clock.real = 1_400;
    expect([stoodMs(), requests.size]).toEqual([0, 0]);
    clock.real = 1_450;
    expect(stoodMs()).toBe(50);
    note(event('request'));
    begin();
    expect([stoodMs(), requests.size]).toEqual([0, 0]);
  });
});
