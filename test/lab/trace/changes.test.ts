/** What a write changed, in a few words; and what many writes changed together. */
import { describe, expect, it } from 'vitest';
import { changesBetween, formatChange, headlineOf, isHeartbeat, summarizeChange } from '../../../src/lab/trace/index.ts';
import type { ApiObject } from '../../../src/apiserver/machinery/index.ts';
import { objectOf, other, traceOf, wrote } from './made.ts';

const T0 = '2024-03-01T00:00:00Z';
const T1 = '2024-03-01T00:00:01.5Z';
const thing = (members: object, metadata: object = {}, revision = 1): ApiObject => objectOf('Thing', 'a', revision, members, metadata);
const change = (previous: ApiObject | undefined, object: ApiObject, type = 'MODIFIED') =>
  ({ type, kind: 'Thing', key: 'default/a', revision: 2, at: 0, entry: 1, object, previous }) as never;
const summary = (before: object, after: object): string => summarizeChange(change(thing(before), thing(after)));

describe('a change', () => {
  it.each<[unknown, unknown, string]>([
    [2, 3, 'p 2 → 3'],
    [undefined, 0, 'p = 0'],
    [null, false, 'p null → false'],
    ['', 'x', 'p "" → x'],
    ['x', '', 'p x → ""'],
    ['x', undefined, 'p removed (was x)'],
    [{ a: [1] }, undefined, 'p removed (was {"a":[1]})'],
    [undefined, { type: 'Ready', status: 'True' }, 'p = True'],
    [undefined, { type: 'Ready', status: 'False', reason: 'Why' }, 'p = False (Why)'],
    [{ type: 'Ready', status: 'True', reason: '' }, { type: 'Ready', status: true }, 'p True → {"type":"Ready","status":true}'],
    [undefined, { status: 'True' }, 'p = {"status":"True"}'],
    [undefined, { type: 'Ready' }, 'p = {"type":"Ready"}'],
    [undefined, { type: 1, status: 'True' }, 'p = {"type":1,"status":"True"}'],
    [undefined, { type: 'A', status: 'True', reason: 1 }, 'p = True'],
    [undefined, 'x'.repeat(60), `p = ${'x'.repeat(60)}`],
    [undefined, 'x'.repeat(61), `p = ${'x'.repeat(59)}…`],
  ])('%j to %j', (before, after, text) => {
    expect(formatChange({ path: 'p', before, after })).toBe(text);
  });

  it('of a value that has no JSON says so', () => {
    expect(formatChange({ path: 'p', before: 1, after: Symbol('x') })).toBe('p 1 → nothing');
  });
});

describe('a heartbeat', () => {
  it.each<[string, object, object, boolean]>([
    ['a later time', { spec: { renewTime: T0 } }, { spec: { renewTime: T1 } }, true],
    ['a time that goes', { spec: { renewTime: T0 } }, { spec: {} }, true],
    ['a time that becomes null', { spec: { renewTime: T0 } }, { spec: { renewTime: null } }, true],
    ['nothing', { spec: { renewTime: T0 } }, { spec: { renewTime: T0 } }, true],
    ['a time that is new', { spec: {} }, { spec: { renewTime: T0 } }, false],
    ['a value beside it', { spec: { renewTime: T0, holder: 'a' } }, { spec: { renewTime: T1, holder: 'b' } }, false],
    ['a text that begins like a time', { spec: { renewTime: T0 } }, { spec: { renewTime: `${T1} or so` } }, false],
    ['a text that ends like a time', { spec: { renewTime: T0 } }, { spec: { renewTime: `at ${T1}` } }, false],
    ['a time that was none', { spec: { renewTime: 'never' } }, { spec: { renewTime: T1 } }, false],
  ])('%s', (_, before, after, is) => {
    expect(isHeartbeat(change(thing(before), thing(after)))).toBe(is);
  });

  it('is a change of an object that was there, and stays', () => {
    const [before, after] = [thing({ spec: { renewTime: T0 } }), thing({ spec: { renewTime: T1 } })];
    expect([
      isHeartbeat(change(undefined, after)),
      isHeartbeat(change(before, after, 'DELETED')),
      isHeartbeat(change(before, after, 'ADDED')),
    ]).toEqual([false, false, false]);
  });
});

describe('the summary of a write', () => {
  it('leaves out the generation and times, unless there is nothing else', () => {
    const before = thing({ spec: { a: 1 }, status: { at: T0 } }, { generation: 1, resourceVersion: '1' });
    const after = thing({ spec: { a: 2 }, status: { at: T1, since: T1 } }, { generation: 2, resourceVersion: '2' });
    expect(summarizeChange(change(before, after))).toBe('spec.a 1 → 2');
    expect(summary({ status: { at: T0 } }, { status: { at: T1 } })).toBe(`status.at ${T0} → ${T1}`);
    expect(summarizeChange(change(thing({}, { generation: 1 }), thing({}, { generation: 2 })))).toBe('metadata.generation 1 → 2');
    expect(summary({ status: { at: T0 } }, { status: { at: 'soon' } })).toBe(`status.at ${T0} → soon`);
    expect(summary({ status: { at: 'soon' } }, { status: { at: T0 } })).toBe(`status.at soon → ${T0}`);
  });

  it('is of a replaced object where its former revision is not known', () => {
    expect(summarizeChange(change(undefined, thing({})))).toBe('replaced');
    expect(summarizeChange(change(thing({}, {}, 1), thing({}, {}, 2)))).toBe('nothing but its revision');
  });

  it('has as many changes as fit, and the number of the rest', () => {
    const values = (value: string) => ({ spec: { a: value, b: value, c: value } });
    const [short, exact, long] = ['x'.repeat(5), 'x'.repeat(44), 'x'.repeat(55)];
    expect(summary({ spec: {} }, values(short))).toBe(`spec.a = ${short}, spec.b = ${short}, spec.c = ${short}`);
    // Fifty-three characters, and then more than sixty.
    expect(summary({ spec: {} }, values(exact))).toBe(`spec.a = ${exact}, spec.b = ${exact}, and 1 more`);
    expect(summary({ spec: {} }, values(long))).toBe(`spec.a = ${long}, and 2 more`);
    expect(summary({ spec: {} }, { spec: { a: 'x'.repeat(51), b: 1, c: 2 } })).toBe(`spec.a = ${'x'.repeat(51)}, spec.b = 1, and 1 more`);
  });

  it('of a structure has only the path, in a sentence', () => {
    const sentence = (before: object, after: object) =>
      headlineOf({ kind: 'Thing', key: 'default/a', before: thing(before), after: thing(after) });
    expect(sentence({ spec: { a: 1, gone: { x: 1 } } }, { spec: { a: 2, list: [1], made: { x: 1 } } })).toBe(
      'changes Thing a: spec.a 1 → 2, spec.list, spec.made, spec.gone removed',
    );
    expect(
      sentence(
        { status: {} },
        {
          status: {
            conditions: [
              { type: 'Ready', status: 'True' },
              { type: 'Odd', status: 'False', reason: 'Why' },
            ],
          },
        },
      ),
    ).toBe('changes Thing a: status.conditions[Ready] = True, status.conditions[Odd] = False (Why)');
    expect(sentence({ spec: { x: { status: 'True' }, y: { type: 'A' } } }, { spec: { x: 1, y: 1 } })).toBe(
      'changes Thing a: spec.x, spec.y',
    );
    expect(sentence({ spec: { renewTime: T0 } }, { spec: { renewTime: T1 } })).toBe('renews the heartbeat of Thing a');
  });
});

describe('the changes between two steps', () => {
  const of = (name: string, n: number) => objectOf('Thing', name, n, { spec: { n } });
  const leaseOf = (n: number, renewTime: string) => objectOf('Lease', 'a', n, { spec: { renewTime } });
  const [a1, a2, a3, b1, b2] = [of('a', 1), of('a', 2), of('a', 3), of('b', 4), of('b', 5)];
  const [l1, l2] = [leaseOf(6, T0), leaseOf(7, T1)];
  const trace = traceOf([
    wrote(0, a1),
    wrote(1, b1),
    wrote(2, a2, { previous: a1 }),
    other(3, { type: 'note', text: '' }),
    wrote(4, l1),
    wrote(5, a3, { previous: a2 }),
    wrote(6, b2, { previous: b1, deleted: true }),
    wrote(7, l2, { previous: l1 }),
  ]);
  const between = (from: number, to: number) => changesBetween(trace, from, to);

  it('are one for each object, from its first former revision to its last one', () => {
    expect(between(1, 8)).toEqual([
      // Made and deleted between the steps: it is not reported.
      { kind: 'Thing', key: 'default/a', before: a1, after: a3, summary: 'spec.n 1 → 3' },
      { kind: 'Lease', key: 'default/a', after: l2, summary: '' },
    ]);
    expect(between(2, 8)).toEqual([
      { kind: 'Thing', key: 'default/a', before: a1, after: a3, summary: 'spec.n 1 → 3' },
      { kind: 'Lease', key: 'default/a', after: l2, summary: '' },
      { kind: 'Thing', key: 'default/b', before: b1, summary: '' },
    ]);
    expect(between(0, 2)).toEqual([
      { kind: 'Thing', key: 'default/a', after: a1, summary: '' },
      { kind: 'Thing', key: 'default/b', after: b1, summary: '' },
    ]);
  });

  it('leave heartbeats out', () => {
    expect(between(7, 8)).toEqual([]);
    expect(between(5, 6)).toEqual([{ kind: 'Thing', key: 'default/a', before: a2, after: a3, summary: 'spec.n 2 → 3' }]);
    expect(between(3, 4)).toEqual([]);
    expect(between(7, 20)).toEqual([]);
  });
});
