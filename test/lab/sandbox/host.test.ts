/** What of the host a decision must not use, and that everything is as before when it is over. */
import { describe, expect, it } from 'vitest';
import { HostUse, withoutHost } from '../../../src/lab/sandbox/host.ts';

const refused = (act: () => unknown): string => {
  const end = withoutHost(act);
  if ('answer' in end) return `answered ${String(end.answer)}`;
  return end.thrown instanceof HostUse ? end.thrown.what : String(end.thrown);
};

const date = new Date(0);

describe('a decision', () => {
  it('uses no clock, chance, timer, language, time zone or promise', () => {
    const uses: readonly (() => unknown)[] = [
      () => Date.now(),
      () => new Date(),
      () => Date(),
      () => new Date(2024, 1),
      () => new Date('2024-01-01T00:00'),
      () => new Date('Jan 1 2024'),
      () => Date.parse('2024-01-01 00:00'),
      () => new Date(0).getHours(),
      () => new Date(0).getTimezoneOffset(),
      () => new Date(0).toString(),
      () => new Date(0).toLocaleTimeString(),
      () => new Date(0).setMonth(1),
      () => Math.random(),
      () => performance.now(),
      () => crypto.randomUUID(),
      () => crypto.getRandomValues(new Uint8Array(1)),
      () => process.hrtime(),
      () => process.hrtime.bigint(),
      () => process.uptime(),
      () => process.cpuUsage(),
      () => process.memoryUsage(),
      () => process.memoryUsage.rss(),
      () => process.resourceUsage(),
      () => {
        process.nextTick(() => undefined);
      },
      () => setTimeout(() => undefined),
      () => setInterval(() => undefined),
      () => setImmediate(() => undefined),
      () => {
        queueMicrotask(() => undefined);
      },
      () => AbortSignal.timeout(1),
      () => fetch('x'),
      () => 'a'.localeCompare('b'),
      () => 'a'.toLocaleLowerCase(),
      () => 'a'.toLocaleUpperCase(),
      () => (1).toLocaleString(),
      () => [1].toLocaleString(),
      () => new Promise(() => undefined),
      () => Promise.resolve(),
      () => Promise.all([]),
      () => Promise.reject(new Error('x')),
    ];
    expect(uses.map(refused)).toEqual([
      'Date.now()',
      'new Date()',
      'Date()',
      'new Date(year, month)',
      "new Date('2024-01-01T00:00')",
      "new Date('Jan 1 2024')",
      "Date.parse('2024-01-01 00:00')",
      'getHours() of a Date',
      'getTimezoneOffset() of a Date',
      'toString() of a Date',
      'toLocaleTimeString() of a Date',
      'setMonth() of a Date',
      'Math.random()',
      'performance.now()',
      'crypto.randomUUID()',
      'crypto.getRandomValues()',
      'process.hrtime()',
      'process.hrtime.bigint()',
      'process.uptime()',
      'process.cpuUsage()',
      'process.memoryUsage()',
      'process.memoryUsage.rss()',
      'process.resourceUsage()',
      'process.nextTick()',
      'setTimeout()',
      'setInterval()',
      'setImmediate()',
      'queueMicrotask()',
      'AbortSignal.timeout()',
      'fetch()',
      'String.prototype.localeCompare()',
      'String.prototype.toLocaleLowerCase()',
      'String.prototype.toLocaleUpperCase()',
      'Number.prototype.toLocaleString()',
      'Array.prototype.toLocaleString()',
      'new Promise()',
      'Promise.resolve()',
      'Promise.all()',
      'Promise.reject()',
    ]);
  });

  it('may read virtual times and texts', () => {
    const fine: readonly (() => unknown)[] = [
      () => new Date(5).getTime(),
      () => new Date('2024-01-01').getTime(),
      () => new Date('2024-01').getUTCMonth(),
      () => new Date('2024').getUTCFullYear(),
      () => new Date('2024-01-01T00:00Z').toISOString(),
      () => new Date('2024-01-01T00:00+01:00').toISOString(),
      () => new Date(' Mon, 01 Jan 2024 00:00:00 GMT ').getTime(),
      () => Date.parse('Mon, 01 Jan 2024 00:00:00 utc'),
      () => Date.parse('2024-01-01T00:00-0100'),
      () => Date.parse('nothing'),
      () => Date.UTC(2024, 0),
      () => new Date(new Date(7)).getUTCDay(),
      () => new Date(0) instanceof Date,
      () => Promise.prototype !== undefined,
      () => [] instanceof Promise,
      () => Math.max(1, 2),
    ];
    expect(fine.map(refused)).toEqual([
      'answered 5',
      'answered 1704067200000',
      'answered 0',
      'answered 2024',
      'answered 2024-01-01T00:00:00.000Z',
      'answered 2023-12-31T23:00:00.000Z',
      'answered 1704067200000',
      'answered 1704067200000',
      'answered 1704070800000',
      'answered NaN',
      'answered 1704067200000',
      'answered 4',
      'answered true',
      'answered true',
      'answered false',
      'answered 2',
    ]);
  });

  it('is refused for its first use, even where it catches that', () => {
    const swallowed = (): string => {
      for (const use of [() => Math.random(), () => Date.now()])
        try {
          use();
        } catch {
          continue;
        }
      return 'done';
    };
    expect(refused(swallowed)).toBe('Math.random()');
    expect(
      refused(() => {
        swallowed();
        throw new Error('later');
      }),
    ).toBe('Math.random()');
    expect(
      refused(() => {
        throw new RangeError('own');
      }),
    ).toBe('RangeError: own');
  });

  it('inside another one is part of it', () => {
    expect(refused(() => withoutHost(() => 7))).toBe('answered [object Object]');
    expect(refused(() => withoutHost(() => Math.random()))).toBe('Math.random()');
  });

  it('leaves the host as it was', () => {
    const before = [Date, Math.random, Promise, setTimeout, performance.now, 'a'.localeCompare, process.hrtime];
    expect(refused(() => Date.now())).toBe('Date.now()');
    expect([Date, Math.random, Promise, setTimeout, performance.now, 'a'.localeCompare, process.hrtime]).toEqual(before);
    expect([Date.now() > 0, Math.random() < 1, date.getHours() >= 0]).toEqual([true, true, true]);
  });

  it('says what to use instead', () => {
    const uses: readonly (() => unknown)[] = [
      () => Date.now(),
      () => Math.random(),
      () => setTimeout(() => undefined),
      () => fetch('x'),
      () => 'a'.localeCompare('b'),
    ];
    const remedies = uses.map((use) => {
      const end = withoutHost(use);
      return 'thrown' in end ? String(end.thrown) : '';
    });
    expect(remedies).toEqual([
      "HostUse: Date.now(): the host's clock differs in every run; input.now and input.elapsed are virtual time",
      "HostUse: Math.random(): the host's randomness differs in every run; input.random is the seeded stream of this controller",
      "HostUse: setTimeout(): the host's timers run after the simulation has moved on; return wakeAt(t, why) to reconcile again at virtual time t",
      'HostUse: fetch(): a promise settles after the simulation has moved on; a decision returns at once, and a write marked resume reads from the server',
      'HostUse: String.prototype.localeCompare(): the language and the time zone of the host differ from machine to machine; < compares texts, and toISOString() writes times, the same everywhere',
    ]);
  });
});
