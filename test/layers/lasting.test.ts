/** Plants lasting state of each form, and what only looks like it. */
import { describe, expect, it } from 'vitest';
import { brokenLastingState } from './lasting.ts';

/** The names that are found in a module below the lab. */
async function foundIn(code: string, path = 'src/controlplane/runtime/planted.ts'): Promise<string[]> {
  return (await brokenLastingState([{ path, text: code }])).map((line) => /holds ([^:]*):/.exec(line)?.[1] ?? line);
}

const LASTING: readonly (readonly [what: string, name: string, code: string])[] = [
  ['a variable of a module', 'count', 'let count = 0; export const next = (): number => ++count;'],
  ['a captured variable', 'at', 'export function create() { let at = 0; return { move(to: number) { at = to; }, read: () => at }; }'],
  ['a captured parameter', 'left', 'export function create(left: number) { return () => (left -= 1); }'],
  [
    'a loop variable that a function keeps',
    'n',
    'export function all(list: (() => number)[]) { for (let n = 0; n < 3; n++) list.push(() => n); }',
  ],
  [
    'a variable that is captured by a callback',
    'asks',
    'export function run(f: (g: () => void) => void) { let asks = false; f(() => { asks = true; }); return asks; }',
  ],
  [
    'a variable in a getter',
    'size',
    'export function create() { let size = 0; return { get size() { return size; }, add() { size++; } }; }',
  ],
  ['a variable of a pattern', 'b', 'let [a, b] = [1, 2]; export const swap = () => { [b] = [a]; };'],
  [
    'a function that a later one calls',
    'sum',
    'export function create() { let sum = 0; const add = () => { sum++; }; return () => add(); }',
  ],
  [
    'a weak table in a function',
    'WeakMap',
    'export const create = () => { const made = new WeakMap<object, number>(); return (key: object) => made.get(key); };',
  ],
  ['a weak table of a module', 'WeakSet', 'const seen = new WeakSet<object>(); export const see = (key: object) => seen.has(key);'],
  ['a weak table in a class', 'WeakMap', 'export class Tables { readonly #tables = new WeakMap<object, number>(); }'],
  [
    'a weak table by worlds, declared a memory',
    'WeakMap by world',
    'const kept = memo(new WeakMap<Cluster, number>()); export const of = (c: Cluster) => kept.get(c);',
  ],
  [
    'a weak table that a memory makes later',
    'WeakMap',
    'const kept = memo({ make: () => new WeakMap<object, number>() }); export const { make } = kept;',
  ],
  ['a table of a module', 'counts', 'const counts = new Map<string, number>(); export const add = (key: string) => counts.set(key, 1);'],
  [
    'a table of a module that a helper changes',
    'counts',
    'const counts = new Map<string, number>(); export const add = (key: string) => bump(counts, key);',
  ],
  ['a list of a module', 'all', 'const all: number[] = []; export function add(n: number) { all[all.length] = n; }'],
  ['a record of a module', 'state', 'const state = { n: 0 }; export function add() { state.n++; }'],
  [
    'a record below a record of a module',
    'state',
    'const state = { deep: { n: 0 } }; export function add() { delete (state.deep as { n?: number }).n; }',
  ],
  ['a field of a class', 'Counter', 'export class Counter { static n = 0; add() { Counter.n += 1; } }'],
  ['a record of another module', 'state', "import { state } from './state.ts'; export const add = () => { state.n = 1; };"],
  [
    'a subscription',
    'subscribe',
    'export const follow = (all: { subscribe(f: () => void): void }) => { all.subscribe(() => undefined); };',
  ],
  ['a generator that pauses', 'function* play', 'export function* play(): Passing<void> { yield; }'],
];

const NOT_LASTING: readonly (readonly [what: string, code: string])[] = [
  ['a field of a record', 'export function create() { const state = { at: 0 }; return { move(to: number) { state.at = to; } }; }'],
  ['a field of a class', 'export class Clock { private now = 0; move(to: number) { this.now = to; } }'],
  ['a variable of one call', 'export function sum(list: number[]) { let all = 0; for (const each of list) all += each; return all; }'],
  [
    'a variable that a function changes at once',
    'export function sum(list: number[]) { let all = 0; list.forEach((each) => { all += each; }); return all; }',
  ],
  [
    'a variable of helpers that end before',
    'export function walk() { let n = 0; const step = () => { n++; }; const twice = () => { step(); step(); }; twice(); return n; }',
  ],
  ['a constant that functions hold', 'export function create() { const at = 1; return () => at; }'],
  [
    'a table of a module that is filled while it loads',
    'const all = new Map<string, number>(); for (const n of [1]) all.set(String(n), n); export const of = (key: string) => all.get(key);',
  ],
  ['a memory', 'const made = memo(new WeakMap<object, number>()); export const note = (key: object) => made.set(key, 1);'],
  [
    'a memory of several members',
    'const last = memo({ next: 1, ids: new WeakMap<object, number>() }); export const note = (key: object) => { last.ids.set(key, last.next++); };',
  ],
  ['a memory in a function', 'export function once() { const last = memo({ key: 0 }); return (key: number) => (last.key = key); }'],
  ['a buffer of one call', 'const bytes = scratch(new Uint8Array(8)); export function hash(n: number) { bytes[0] = n; return bytes[1]; }'],
];

describe('lasting state', () => {
  it.each(LASTING)('%s is found', async (_what, name, code) => {
    expect(await foundIn(code)).toContain(name);
  });

  it.each(NOT_LASTING)('%s is none', async (_what, code) => {
    expect(await foundIn(code)).toEqual([]);
  });

  it('is no concern of the surfaces and of the undo log', async () => {
    for (const path of ['src/surfaces/cli/planted.ts', 'src/engine/undo/planted.ts'])
      expect(await foundIn('let count = 0; export const next = () => ++count;', path)).toEqual([]);
  });

  it('a record of another module may be a memory there', async () => {
    const files = [
      { path: 'src/schema/a.ts', text: 'export const walk = scratch({ depth: 0 });' },
      { path: 'src/schema/b.ts', text: "import { walk } from './a.ts'; export const enter = () => walk.depth++;" },
    ];
    expect(await brokenLastingState(files)).toEqual([]);
  });
});
