/** The write barrier: whatever a script writes is taken back, and made again, by going from moment to moment. */
import { runInThisContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as names from '../src/build/barrier-names.mjs';
import { withWriteBarrier } from '../src/build/write-barrier.mjs';
import { beginHistory } from '../src/engine/index.ts';

/** Runs a script with barriers. It returns functions, which are called afterwards. */
function scripted<T>(code: string): T {
  const { $recording: _, ...functions } = names;
  const parameters = Object.keys(functions);
  // While the script runs, everything is noted.
  const script = withWriteBarrier(code, { sourceType: 'script', name: 'script' });
  const made = runInThisContext(`(function ($recording, ${parameters.join(', ')}) { 'use strict'; ${script} return made(); })`) as (
    ...given: readonly unknown[]
  ) => unknown;
  return made(true, ...Object.values(functions)) as T;
}

/** A small world with every way to write. `act` does one of them with two numbers, `shows` reads it. */
const WORLD = `
function made() {
  class Counter { #count = 0; more(by) { this.#count += by; return this.#count; } get count() { return this.#count; } }
  const state = { a: 1, nested: { list: [3, 1, 2] }, gone: 'here', counts: {} };
  const table = new Map([['x', 1]]), set = new Set(), weak = new WeakMap(), marked = new WeakSet(), keys = [{}, {}, {}];
  const bytes = new Uint8Array(4), words = new Uint32Array(3), counter = new Counter();
  let last = 0, pair = [0, 0];
  const at = (n) => n % 3;
  const ACTS = [
    (m, n) => { state.a = m; state.nested.other = n; },
    (m, n) => { state.a += m; state.nested.list[at(n)] = m; state.counts[\`k\${m}\`] ??= n; },
    (m, n) => { delete state.gone; if (n > 3) state.gone = 'again'; },
    (m, n) => { delete state.counts[\`k\${m}\`]; },
    (m, n) => { state.nested.list.push(m, n); },
    () => { state.nested.list.pop(); },
    () => { state.nested.list.shift(); },
    (m, n) => { state.nested.list.unshift(m, n); },
    (m, n) => { state.nested.list.splice(at(m), at(n), n, n); },
    () => { state.nested.list.sort((one, other) => one - other); },
    () => { state.nested.list.reverse(); },
    (m) => { state.nested.list.length = Math.min(m, state.nested.list.length); },
    (m, n) => { state.nested.list[state.nested.list.length] = n; },
    (m, n) => { table.set(\`k\${m}\`, n); },
    (m) => { table.delete(\`k\${m}\`); },
    (m) => { for (const [key, value] of table) if (value > m) table.delete(key); },
    (m) => { if (m > 6) table.clear(); },
    (m) => { set.add(m); },
    (m) => { set.delete(m); },
    (m, n) => { weak.set(keys[at(m)], n); },
    (m) => { weak.delete(keys[at(m)]); },
    (m) => { if (m > 3) marked.add(keys[at(m)]); else marked.delete(keys[at(m)]); },
    (m, n) => { bytes[at(m)] = n; words[at(n)] = m; },
    (m) => { bytes.fill(m); },
    (m) => { counter.more(m); },
    (m, n) => { last = m; [pair[0], pair[1]] = [pair[1], n]; },
    (m) => { last++; pair = [m, ...pair]; },
    (m, n) => { Object.assign(state, { a: n, [\`s\${m}\`]: m }); },
    (m) => { Reflect.deleteProperty(state, \`s\${m}\`); },
    (m, n) => { (m > 3 ? state : state.nested)[\`s\${at(n)}\`] = { m }; },
    (m, n) => { const fresh = []; fresh.push(m); fresh[1] = n; state.fresh = fresh; },
    (m) => { const local = new Map(); local.set(m, m); state.kept = [...local]; },
    (m) => { state.table = new Map([[m, m]]); },
    (m, n) => { state.table?.set(n, m); },
    (m, n) => { const later = () => { last += n; }; [1, 2].forEach(later); },
  ];
  return {
    act: (which, m, n) => ACTS[which % ACTS.length](m, n),
    shows: () => JSON.stringify([state, Object.keys(state), [...table], [...set], keys.map((key) => [weak.get(key), marked.has(key)]), [...bytes], [...words], counter.count, last, pair],
      (_key, value) => (value instanceof Map ? [...value] : value)),
    acts: ACTS.length,
  };
}`;

interface World {
  act(which: number, m: number, n: number): void;
  shows(): string;
  readonly acts: number;
}

describe('the write barrier', () => {
  const act = fc.record({ which: fc.nat(34), m: fc.nat(8), n: fc.nat(8) });
  const step = fc.oneof(
    { weight: 4, arbitrary: act },
    { weight: 2, arbitrary: fc.constant('here' as const) },
    { weight: 1, arbitrary: fc.nat(20) },
  );

  it('covers every act of the small world', () => {
    expect(scripted<World>(WORLD).acts).toBe(35);
  });

  it('takes every write back, and makes it again', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const world = scripted<World>(WORLD);
        const history = beginHistory();
        history.enter();
        const moments = [{ moment: history.here(), shown: world.shows() }];
        for (const each of steps) {
          if (each === 'here') moments.push({ moment: history.here(), shown: world.shows() });
          else if (typeof each !== 'number') world.act(each.which, each.m, each.n);
          else {
            const known = moments[each % moments.length];
            if (known === undefined) continue;
            history.go(known.moment);
            expect(world.shows()).toBe(known.shown);
          }
        }
        for (const { moment, shown } of moments) {
          history.go(moment);
          expect(world.shows()).toBe(shown);
        }
        history.leave();
      }),
    );
  });

  it('refuses what it cannot watch', () => {
    const refused = (code: string) => () => withWriteBarrier(code, { sourceType: 'script', name: 'file.ts' });
    expect(refused('function f(o, k) { o[k()] += 1; }')).toThrow(/^file\.ts: the write barrier cannot watch "o\[k\(\)\] \+= 1"/);
    expect(refused('function f(o) { Object.setPrototypeOf(o, null); }')).toThrow(/it has no barrier/);
    expect(refused('function f(o, list) { for (o.x of list); }')).toThrow(/a loop assigns to it/);
    expect(refused('function f(list, items) { list.splice.apply(list, items); }')).toThrow(/it is applied/);
  });

  it('leaves alone what the function makes that writes to it', () => {
    const code =
      'function f(list) { const out = []; const seen = new Map(); for (const x of list) { out.push(x); seen.set(x, x); } return [out, seen.size]; }';
    expect(withWriteBarrier(code, { sourceType: 'script', name: 'file.ts' })).toBe(code);
  });

  it('cannot go to a moment of another world, or to a forgotten one', () => {
    const [one, other] = [beginHistory(), beginHistory()];
    const moment = one.here();
    expect(() => other.go(moment)).toThrow('a moment of another world');
    const world = scripted<World>(WORLD);
    one.enter();
    world.act(0, 1, 2);
    const later = one.here();
    one.forgetBefore(later);
    expect(() => one.go(moment)).toThrow('a moment that was forgotten');
    one.go(later);
    one.leave();
  });
});
