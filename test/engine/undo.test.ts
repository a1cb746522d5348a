/** The undo log: whatever is written in whatever order, each moment of a world has what it had, and in its order. */
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { beginHistory, noteNothing, type Moment } from '../../src/engine/undo/history.ts';
import * as log from '../../src/engine/undo/log.ts';
import { UndoableMap, UndoableSet, UndoableWeakMap, UndoableWeakSet } from '../../src/engine/undo/tables.ts';

afterEach(noteNothing);

const KEYS = ['a', 'b', 'c', 'd'] as const;
type Key = (typeof KEYS)[number];

const makeWorld = () => ({
  record: { a: 1, b: 2 } as Record<string, unknown>,
  list: [1, 2, 3] as unknown[],
  bytes: Uint8Array.of(1, 2, 3, 4),
  map: new UndoableMap<string, unknown>([
    ['a', 1],
    ['b', undefined],
    ['c', 3],
  ]),
  set: new UndoableSet<string>(['a', 'b', 'c']),
  handles: KEYS.map((key) => ({ key })),
  weak: new UndoableWeakMap<object, unknown>(),
  weakSet: new UndoableWeakSet(),
  variable: 0 as unknown,
});
type World = ReturnType<typeof makeWorld>;

/** All that a world has, in order. */
const shown = ({ record, list, bytes, map, set, handles, weak, weakSet, variable }: World): string => {
  const visited: unknown[] = [];
  map.forEach((value, key) => visited.push([key, value ?? 'none']));
  set.forEach((value, same) => visited.push([value, same]));
  return JSON.stringify([
    Object.entries(record).map(([key, value]) => [key, value instanceof Map ? [...value] : value]),
    list,
    [list.length, ...bytes],
    [...map].map(([key, value]) => [key, value ?? 'none']),
    [[...map.keys()], [...map.values()].length, [...map.entries()].length, map.size],
    [[...set], [...set.keys()], [...set.values()], [...set.entries()], set.size],
    visited,
    handles.map((handle) => [weak.has(handle), weak.get(handle), weakSet.has(handle)]),
    variable,
  ]);
};

type Write = (world: World, key: Key, n: number) => void;

/** Writes as the build with the write barrier makes them. */
const WRITES: readonly Write[] = [
  ({ record }, key, n) => void (log.noteField(record, key)[key] = n),
  ({ record }, key, n) => void (log.noteField(record, key, record[key])[key] = n),
  ({ record }, key, n) => void log.setField(record, key, n),
  ({ record }, key) => void log.deleteProperty(record, key),
  ({ record }, key, n) => void log.assignAll(record, { [key]: n }, { z: n }),
  ({ record }, key, n) => void (log.noteField(record, 'made')['made'] = new UndoableMap([[key, n]])),
  ({ record }, key, n) => void (record['made'] as Map<string, number> | undefined)?.set(key, n),
  ({ record }) => (record['made'] as Map<string, number> | undefined)?.clear(),
  ({ list }, _, n) => void log.notePush(list).push(n),
  ({ list }) => void log.notePop(list).pop(),
  ({ list }) => void log.noteShift(list).shift(),
  ({ list }, _, n) => void log.spliced(list, n, 2, n),
  ({ list }, _, n) => void log.spliced(list, -n, 1, n, n),
  ({ list }, _, n) => void log.unshifted(list, n, n),
  ({ list }, _, n) => void (log.noteField(list, n)[n] = n),
  ({ list }, _, n) => void log.setField(list, String(n), n),
  ({ list }, _, n) => void (log.noteField(list, 'length').length = Math.min(n, list.length)),
  ({ list }) => void log.noteAll(list).sort((a, b) => Number(a) - Number(b)),
  ({ list }, _, n) => void (n < list.length && log.deleteProperty(list, n)),
  ({ bytes }, _, n) => log.noteAll(bytes).set([n, n + 1], n % 3),
  ({ map }, key, n) => void map.set(key, n),
  ({ map }, key) => void map.set(key, undefined),
  ({ map }, key) => void map.delete(key),
  ({ map }) => map.clear(),
  ({ set }, key) => void set.add(key),
  ({ set }, key) => void set.delete(key),
  ({ set }) => set.clear(),
  ({ weak, handles }, key, n) => void weak.set(handles[KEYS.indexOf(key)] ?? {}, n),
  ({ weak, handles }, key) => void weak.delete(handles[KEYS.indexOf(key)] ?? {}),
  ({ weakSet, handles }, key) => void weakSet.add(handles[KEYS.indexOf(key)] ?? {}),
  ({ weakSet, handles }, key) => void weakSet.delete(handles[KEYS.indexOf(key)] ?? {}),
  (world, _, n) => {
    log.noteVariable((value) => {
      const was = world.variable;
      world.variable = value;
      return was;
    }, world.variable);
    world.variable = n;
  },
];

const write = fc.tuple(fc.nat(WRITES.length - 1), fc.constantFrom(...KEYS), fc.nat(5));
/** Some writes, then a moment; then, perhaps, a jump to an earlier one. */
const step = fc.tuple(fc.array(write, { minLength: 1, maxLength: 6 }), fc.option(fc.nat(100), { nil: undefined }));

it('a world is at each moment what it was, back and forward, on any branch', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 2, maxLength: 12 }), (steps) => {
      const world = makeWorld();
      const history = beginHistory();
      history.enter();
      const moments: (readonly [moment: Moment, shown: string])[] = [[history.here(), shown(world)]];
      for (const [writes, jump] of steps) {
        for (const [which, key, n] of writes) WRITES[which]?.(world, key, n);
        moments.push([history.here(), shown(world)]);
        const [to, then] = (jump === undefined ? undefined : moments[jump % moments.length]) ?? [];
        if (to === undefined) continue;
        history.go(to);
        expect(shown(world)).toBe(then);
        expect(history.here()).toBe(to);
      }
      for (const [to, then] of [...moments.toReversed(), ...moments]) {
        history.go(to);
        expect(shown(world)).toBe(then);
      }
    }),
    { numRuns: 80 },
  );
});

describe('each kind of write', () => {
  it.each(WRITES.map((each, which) => [which, each] as const))('number %d is taken back and made again', (_, each) => {
    for (const key of KEYS)
      for (const n of [0, 1, 3, 5]) {
        const world = makeWorld();
        const history = beginHistory();
        history.enter();
        const [start, before] = [history.here(), shown(world)];
        each(world, key, n);
        const [end, after] = [history.here(), shown(world)];
        history.go(start);
        expect(shown(world)).toBe(before);
        history.go(end);
        expect(shown(world)).toBe(after);
        history.go(start);
        expect(shown(world)).toBe(before);
        history.leave();
      }
  });

  it.each(WRITES.map((each, which) => [which, each] as const))('number %d does the same without a history', (_, each) => {
    const [noted, plain] = [makeWorld(), makeWorld()];
    const history = beginHistory();
    history.enter();
    each(noted, 'b', 2);
    history.leave();
    each(plain, 'b', 2);
    expect(shown(plain)).toBe(shown(noted));
  });
});

describe('a history', () => {
  it('has a moment for each time that something was written', () => {
    const record: Record<string, unknown> = {};
    const history = beginHistory();
    history.enter();
    const first = history.here();
    expect(history.here()).toBe(first);
    log.setField(record, 'a', 1);
    const second = history.here();
    expect([first.nth, first.parent, second.nth, second.parent]).toEqual([0, undefined, 1, first]);
    expect(history.here()).toBe(second);
  });

  it('loses what was written since its last moment', () => {
    const record: Record<string, unknown> = { a: 1 };
    const history = beginHistory();
    history.enter();
    const here = history.here();
    log.setField(record, 'a', 2);
    history.go(here);
    expect(record).toEqual({ a: 1 });
  });

  it('does not note what is written while it is left', () => {
    const record: Record<string, unknown> = { a: 1 };
    const history = beginHistory();
    history.enter();
    const here = history.here();
    history.leave();
    expect([log.recording, log.isUnnoted(-1)]).toEqual([false, false]);
    log.setField(record, 'a', 2);
    history.enter();
    expect([log.recording, log.isUnnoted(-1), log.isUnnoted(log.serial)]).toEqual([true, true, false]);
    history.go(here);
    expect(record).toEqual({ a: 2 });
  });

  it('goes to its own moments only, and to none that was forgotten', () => {
    const record: Record<string, unknown> = {};
    const history = beginHistory();
    history.enter();
    const moments = [1, 2, 3].map((n) => {
      log.setField(record, 'a', n);
      return history.here();
    });
    const [one, two, three] = moments as [Moment, Moment, Moment];
    history.forgetBefore(two);
    history.go(two);
    expect(record).toEqual({ a: 2 });
    history.go(three);
    expect([record, two.parent]).toEqual([{ a: 3 }, undefined]);
    expect(() => history.go(one)).toThrow('a moment that was forgotten');
    expect(() => history.go(beginHistory().here())).toThrow('a moment of another world');
    history.forgetBefore(beginHistory().here());
  });
});

describe('what is not noted', () => {
  it('is a draft, or no object', () => {
    const history = beginHistory();
    history.enter();
    const here = history.here();
    const draft: Record<PropertyKey, unknown> = { [Symbol.for('immer-state')]: {} };
    log.setField(draft, 'a', 1);
    log.deleteProperty(draft, 'a');
    log.noteAll(draft);
    for (const value of [undefined, null, 'a', 1]) log.noteAll(log.noteField(value, 'a'));
    expect(history.here()).toBe(here);
  });

  it('is an end of a list that is empty, or of what is no list', () => {
    const history = beginHistory();
    history.enter();
    const here = history.here();
    const other: unknown = { push: () => 1 };
    expect([log.notePop([]), log.noteShift([]), log.notePush(other), log.notePop(other), log.noteShift(other)]).toEqual([
      [],
      [],
      other,
      other,
      other,
    ]);
    expect(log.noteDelete({ a: 1 }, 'b')).toEqual({ a: 1 });
    expect(history.here()).toBe(here);
  });

  it('is a value that stays', () => {
    const history = beginHistory();
    const map = new UndoableMap([['a', 1]]);
    const set = new UndoableSet(['a']);
    history.enter();
    const here = history.here();
    map.set('a', 1);
    set.add('a');
    expect([map.delete('b'), set.delete('b')]).toEqual([false, false]);
    expect(history.here()).toBe(here);
  });

  it('is a table that was made in the same log', () => {
    const history = beginHistory();
    history.enter();
    const here = history.here();
    const map = new UndoableMap([['a', 1]]).set('b', 2);
    const set = new UndoableSet(['a']).add('b');
    map.delete('a');
    set.delete('a');
    expect(history.here()).toBe(here);
    expect([[...map], [...set]]).toEqual([[['b', 2]], ['b']]);
  });
});

it('what has been frozen since stays as it is', () => {
  const history = beginHistory();
  history.enter();
  const here = history.here();
  const [record, list, all] = [{ a: 1 }, [1], { b: 1 }];
  log.setField(record, 'a', 2);
  log.notePush(list).push(2);
  log.deleteProperty(all, 'b');
  for (const each of [record, list, all]) Object.freeze(each);
  history.go(here);
  expect([record, list, all]).toEqual([{ a: 2 }, [1, 2], {}]);
});

it('tables and splices answer as native ones do', () => {
  const list = [1, 2, 3, 4];
  expect([log.spliced(list, 1, 2, 9), list, log.spliced(list, -1, 5), log.spliced(list, 9, 1, 7), list]).toEqual([
    [2, 3],
    [1, 9, 7],
    [4],
    [],
    [1, 9, 7],
  ]);
  expect([log.unshifted(list, 5, 6), log.setField(list, 0, 'x'), list]).toEqual([5, 'x', ['x', 6, 1, 9, 7]]);
  const map = new UndoableMap<string, number>();
  expect([map.set('a', 1) === map, map.delete('a'), map.delete('a'), new UndoableMap(null).size]).toEqual([true, true, false, 0]);
  const set = new UndoableSet<string>(null);
  expect([set.add('a') === set, set.delete('a'), set.delete('a')]).toEqual([true, true, false]);
  const [key, other] = [{}, {}];
  const weak = new UndoableWeakMap([[key, 1]]);
  expect([weak.get(key), weak.set(other, 2) === weak, weak.delete(key), weak.delete(key)]).toEqual([1, true, true, false]);
  const weakSet = new UndoableWeakSet();
  expect([weakSet.add(key) === weakSet, weakSet.has(key), weakSet.has(other), weakSet.delete(key), weakSet.delete(key)]).toEqual([
    true,
    true,
    false,
    true,
    false,
  ]);
});
