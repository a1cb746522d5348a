/** What is known of processes, keys and faults at a step of a trace. */
import { describe, expect, it } from 'vitest';
import { introspectionAt } from '../../../src/lab/blockers/introspection-at.ts';
import type { Trace } from '../../../src/lab/trace/index.ts';
import { at } from './moment.ts';

let ids = 0;
const entry = (type: string, seconds: number, parts: object): object => ({ id: ++ids, causes: [], type, at: at(seconds), ...parts });
const turns = (what: string, seconds: number, more: object = {}) => entry('process', seconds, { process: 'm', what, ...more });
const LISTS = { lists: { revision: 1, kinds: [], controllers: [{ name: 'job', reconciles: 'Job' }] } };
const decides = (seconds: number, more: object = {}) =>
  entry('reconcile', seconds, { process: 'm', controller: 'job', key: 'default/a', failures: 0, why: 'w', writes: 0, ...more });
const timer = (seconds: number, because: string, more: object = {}) =>
  entry('timer', seconds, { process: 'm', controller: 'job', key: 'default/a', because, ...more });
const fault = (seconds: number, name: string, subject: unknown, parameters: object = {}) =>
  entry('fault', seconds, { fault: name, detail: `${String(subject)} sees changes late`, given: { subject, parameters, text: '' } });

/** The introspection at a step, by default the last; `prologue`: how many of the entries are before the start. */
function seen(
  entries: readonly object[],
  { step = entries.length, now = 100, prologue = 0, end }: { step?: number; now?: number; prologue?: number; end?: object } = {},
) {
  const trace = { startAt: at(0), prologue: entries.slice(0, prologue), entries: entries.slice(prologue), renewalIntervals: [] };
  return introspectionAt(trace as unknown as Trace, step - prologue, at(now), end as never);
}

describe('a process', () => {
  const state = (...entries: readonly object[]) => {
    const [process] = seen(entries).processes;
    return [process?.up, process?.leading, process === undefined ? undefined : (process.since - at(0)) / 1_000];
  };

  it('is up since its last start, and down since its last end', () => {
    expect(state(turns('started', 5, LISTS))).toEqual([true, true, 5]);
    expect(state(turns('started', 5, LISTS), turns('crashed', 9))).toEqual([false, false, 9]);
    expect(state(turns('started', 5, LISTS), turns('stopped', 9))).toEqual([false, false, 9]);
    expect(state(turns('started', 5, LISTS), turns('stopped', 9), turns('refused', 10))).toEqual([false, false, 10]);
    expect(state(turns('started', 5, LISTS), turns('crashed', 9), turns('started', 20, LISTS))).toEqual([true, true, 20]);
    expect(state(turns('started', 5, LISTS), turns('follows', 9), turns('lists', 10), turns('retires', 11))).toEqual([true, true, 5]);
    expect(state(turns('started', 5, LISTS), entry('process', 9, { process: 'other', what: 'crashed' }))).toEqual([true, true, 5]);
  });

  it('has what it ran, also before the start of the run', () => {
    const started = turns('started', -5, LISTS);
    expect(seen([started, turns('crashed', 9)], { prologue: 1 }).processes).toEqual([
      { name: 'm', up: false, since: at(9), leading: false, underway: [], controllers: [{ name: 'job', reconciles: 'Job', keys: [] }] },
    ]);
    expect(seen([started, turns('crashed', 9)], { prologue: 1, step: 1 }).processes).toMatchObject([{ up: true, since: at(-5) }]);
  });

  it('does not lead while it only runs its elector', () => {
    const running = (...names: readonly string[]) => ({ lists: { revision: 1, kinds: [], controllers: names.map((name) => ({ name })) } });
    const entries = [turns('started', 5, running('elector')), turns('leads', 9, running('elector', 'job'))];
    const [standby, leader] = [1, 2].map((step) => seen(entries, { step }).processes[0]);
    expect([standby?.leading, standby?.controllers.map(({ name }) => name)]).toEqual([false, ['elector', 'job']]);
    expect([leader?.leading, leader?.controllers.map(({ name }) => name)]).toEqual([true, ['elector', 'job']]);
  });

  it('comes back when it starts next', () => {
    const entries = [
      turns('started', 5, LISTS),
      turns('crashed', 9),
      turns('lists', 10),
      turns('started', 20, LISTS),
      turns('crashed', 21),
      turns('started', 30),
    ];
    const back = { what: 'the start of m', at: at(20), background: false };
    expect(seen(entries, { step: 2 }).pending).toEqual([back]);
    expect(seen(entries, { step: 4 }).pending).toEqual([]);
    const pending = [{ what: 'x', at: at(7), background: true }];
    expect(seen(entries, { step: 2, end: { pending, processes: [] } }).pending).toEqual([back, ...pending]);
  });
});

describe('a key', () => {
  const start = turns('started', 5, LISTS);
  const keys = (entries: readonly object[], options: Parameters<typeof seen>[1] = {}) =>
    seen([start, ...entries], options).processes[0]?.controllers.flatMap((controller) => controller.keys);
  const key = { key: 'default/a', queued: false, backingOff: false, failures: 0, awaits: [] };

  it('is as its last decision left it', () => {
    expect(keys([])).toEqual([]);
    expect(keys([decides(10, { failures: 4 }), decides(20, { failures: 3 })])).toEqual([{ ...key, failures: 3 }]);
    expect(keys([decides(10), decides(20, { key: 'default/b' })])?.map((each) => each.key)).toEqual(['default/b', 'default/a']);
    expect(keys([decides(10), turns('crashed', 20)])).toEqual([]);
    expect(keys([decides(10), turns('stopped', 20)])).toEqual([]);
    expect(keys([decides(10), turns('started', 20)])).toEqual([]);
    expect(keys([decides(10), turns('follows', 20)])).toEqual([key]);
  });

  it('wakes when it said, if that is later', () => {
    expect(keys([decides(10, { wakeAt: at(10) + 1 })])).toEqual([{ ...key, wakesAt: at(10) + 1 }]);
    expect(keys([decides(10, { wakeAt: at(10) })])).toEqual([key]);
  });

  it('is delayed until its next timer, which was set before', () => {
    const first = decides(10, { failures: 2 }) as { readonly id: number };
    const at2 = (...later: readonly object[]) => keys([first, ...later], { step: 2 });
    const because = { causes: [first.id] };
    expect(at2(timer(15, 'backoff', because), timer(18, 'delay', because))).toEqual([
      { ...key, delayedUntil: at(15), backingOff: true, failures: 3 },
    ]);
    expect(at2(timer(15, 'delay', because))).toEqual([{ ...key, delayedUntil: at(15), failures: 2 }]);
    expect(at2(timer(15, 'wake', because))).toEqual([{ ...key, failures: 2 }]);
    expect(at2(timer(15, 'delay', { ...because, key: 'default/b' }))).toEqual([{ ...key, failures: 2 }]);
    const later = decides(12) as { readonly id: number };
    expect(at2(later, timer(15, 'delay', { causes: [later.id] }))).toEqual([{ ...key, failures: 2 }]);
  });

  it('is as at the end of the run, where nothing touches it later', () => {
    const held = { ...key, queued: true };
    const end = { pending: [], processes: [{ name: 'm', controllers: [{ name: 'job', keys: [held] }] }] };
    expect(keys([decides(10)], { end })).toEqual([held]);
    expect(keys([decides(10), decides(20, { key: 'default/b' })], { end, step: 2 })).toEqual([held]);
    for (const later of [decides(20), timer(20, 'wake'), turns('crashed', 20)])
      expect(keys([decides(10), later], { end, step: 2 })).toEqual([key]);
    expect(keys([decides(10, { key: 'default/b' })], { end })).toEqual([{ ...key, key: 'default/b' }]);
  });
});

describe('a fault', () => {
  const faults = (...entries: readonly object[]) => seen(entries, { now: 60 }).faults;

  it('lasts as long as it says', () => {
    const cut = (seconds: number) => fault(50, 'partition', 'm', { for: seconds * 1_000 });
    expect(faults(cut(10))).toEqual([{ process: 'm', says: 'is cut off from the server', until: at(60) }]);
    expect(faults(cut(9.999))).toEqual([]);
    expect(faults(fault(50, 'partition', 'm'))).toEqual([{ process: 'm', says: 'is cut off from the server' }]);
    expect(faults(fault(50, 'lag', 'm', { for: 20_000 }))).toEqual([{ process: 'm', says: 'sees changes late', until: at(70) }]);
  });

  it('is reported with the last one first, and only where it keeps a process from its work', () => {
    expect(faults(fault(50, 'lag', 'm'), fault(51, 'partition', 'n')).map(({ process }) => process)).toEqual(['n', 'm']);
    expect(faults(fault(50, 'freeze', 'm'), fault(50, 'lag', { kind: 'Pod' }), entry('fault', 50, { fault: 'lag', detail: 'x' }))).toEqual(
      [],
    );
  });
});
