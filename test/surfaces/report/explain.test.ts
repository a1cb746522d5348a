/** Failures explained from traces, and the commands that show more. */
import { describe, expect, it } from 'vitest';
import type { CacheView, Unseen } from '../../../src/lab/trace/index.ts';
import { cacheViewText, explain, replayCommand, shellWord } from '../../../src/surfaces/report/index.ts';
import { entry, failure, numbered, pod, START, traceOf } from './samples.ts';

describe('the view of a cache', () => {
  const missing = (name: string, namespace = 'default'): Unseen => ({
    kind: 'Pod',
    key: `${namespace}/${name}`,
    how: 'missing',
    since: START + 2_000,
    revision: 5,
  });
  const view = (unseen: readonly Unseen[], reasons: CacheView['reasons'] = []): CacheView => ({
    step: 9,
    process: 'controller-manager',
    controller: 'job',
    unseen,
    reasons,
  });
  const older = (more: Partial<Unseen>): Unseen => ({
    ...missing('c'),
    how: 'older',
    saw: pod('c', { phase: 'Pending' }),
    was: pod('c', { phase: 'Running' }, { resourceVersion: '4' }),
    ...more,
  });

  it('is no text where it was up to date', () => {
    expect(cacheViewText(view([]), START)).toBeUndefined();
  });

  it('says what was missing, gone and old, in this order, and why', () => {
    const unseen = [older({}), { ...missing('b'), how: 'gone' as const }, missing('a', 'shop'), missing('d')];
    expect(cacheViewText(view(unseen), START)).toEqual({
      unseen:
        'it did not see Pod shop/a (there since 2.000s), Pod d (there since 2.000s); it still saw Pod b (gone since 2.000s); ' +
        'it saw old Pod c (rv 1, not 4, since 2.000s: status.phase Pending → Running)',
      reasons: '',
    });
    expect(
      cacheViewText(
        view(
          [missing('a')],
          [
            { step: 3, text: 'was restarted' },
            { step: 4, text: 'lags' },
          ],
        ),
        START,
      )?.reasons,
    ).toBe('controller-manager was restarted #3; it lags #4');
  });

  it('without both states of an object says only since when', () => {
    const { saw: _, ...unsaid } = older({});
    const { was: __, ...gone } = older({});
    for (const one of [unsaid, gone]) expect(cacheViewText(view([one]), START)?.unseen).toBe('it saw old Pod c (there since 2.000s)');
  });

  it('lists four objects, and counts the others', () => {
    const listed = (many: number): string | undefined =>
      cacheViewText(view(numbered(many, 'p').map((name) => missing(name))), START)?.unseen;
    expect(listed(4)).toMatch(/^it did not see (?:Pod p-\d \(there since 2\.000s\)(?:, |$)){4}$/);
    expect(listed(5)).toMatch(/^it did not see (?:Pod p-\d \(there since 2\.000s\)(?:, )?){4} and 1 more object$/);
    expect(listed(6)).toMatch(/ and 2 more objects$/);
  });
});

describe('a failure', () => {
  it('of a run without an end is explained by who decided most often near the end', () => {
    const decided = (many: number, key: string, from: number) =>
      Array.from({ length: many }, (_, at) => entry.decision(from + at, from + at, key, `reason ${at + 1}`));
    const trace = traceOf([
      ...decided(2, 'default/a', 1),
      entry.note(3, 3, 'x'),
      ...decided(4, 'default/b', 4),
      ...decided(3, 'default/c', 8),
      ...decided(1, 'default/d', 11),
    ]);
    expect(explain(trace, failure({ kind: 'limit' }))).toEqual({
      chain: [],
      more: 0,
      busiest: [
        { who: 'job', key: 'default/b', decisions: 4, lastWhy: 'reason 4' },
        { who: 'job', key: 'default/c', decisions: 3, lastWhy: 'reason 3' },
        { who: 'job', key: 'default/a', decisions: 2, lastWhy: 'reason 2' },
      ],
    });
    // Controllers and processes are distinguished; only the last ten thousand entries count.
    const many = traceOf([
      ...decided(5, 'default/old', 1),
      entry.decision(6, 6, 'default/a', 'w', { controller: 'node' }),
      entry.decision(7, 7, 'default/a', 'w', { process: 'other' }),
      ...Array.from({ length: 9_998 }, (_, at) => entry.note(8 + at, 8, 'x')),
    ]);
    expect(explain(many, failure({ kind: 'limit' })).busiest).toEqual([
      { who: 'node', key: 'default/a', decisions: 1, lastWhy: 'w' },
      { who: 'job', key: 'default/a', decisions: 1, lastWhy: 'w' },
    ]);
  });

  const about = { kind: 'Pod', namespace: 'default', name: 'a' };
  const update = (id: number, phase: string, was: string, causes: readonly number[] = []) =>
    entry.write(id, id, 'a', { causes, change: { type: 'MODIFIED', object: pod('a', { phase }), previous: pod('a', { phase: was }) } });
  const stepsOf = (...given: Parameters<typeof explain>): readonly string[] => explain(...given).chain.map(({ step }) => step);

  it('about an object begins at its last write, or at the last that changed the field', () => {
    const labelled = entry.write(4, 4, 'a', {
      change: {
        type: 'MODIFIED',
        object: pod('a', { phase: 'Running' }, { labels: { a: 'b' } }),
        previous: pod('a', { phase: 'Running' }),
      },
    });
    const trace = traceOf([
      entry.write(1, 1, 'a'),
      update(2, 'Running', 'Pending', [1]),
      entry.write(3, 3, 'b'),
      labelled,
      entry.fault(5, 5, 'crash'),
    ]);
    expect(stepsOf(trace, failure({ about, traceStep: 5 }))).toEqual(['#4']);
    expect(stepsOf(trace, failure({ about: { ...about, field: 'status.phase' }, traceStep: 5 }))).toEqual(['#2', '#1']);
    expect(stepsOf(trace, failure({ about: { ...about, field: 'spec.nodeName' }, traceStep: 5 }))).toEqual(['#4']);
    expect(stepsOf(trace, failure({ about, traceStep: 3 }))).toEqual(['#2', '#1']);
    // The object was never written in the run.
    expect(stepsOf(trace, failure({ about: { ...about, name: 'z' }, traceStep: 5 }))).toEqual(['#5']);
    expect(stepsOf(trace, failure({ about: { ...about, name: 'z' }, traceStep: 4 }))).toEqual(['#4']);
  });

  it('about no object begins at the last entry that explains something', () => {
    const trace = traceOf([
      entry.fault(1, 1, 'crash'),
      entry.delivery(2, 2, 'a'),
      { type: 'timer', id: 3, at: START + 3, causes: [], process: 'p', controller: 'job', key: 'default/a', because: 'wake' } as never,
      entry.check(3, 3, 'job/x'),
      entry.note(3, 3, 'x'),
    ]);
    expect(stepsOf(trace, failure({ traceStep: 99 }))).toEqual(['#1']);
    expect(explain(traceOf([entry.note(1, 1, 'x')]), failure({ traceStep: 1, waits: ['a node'] }))).toEqual({
      chain: [],
      more: 0,
      waits: ['a node'],
    });
    expect(explain(traceOf([]), failure())).toEqual({ chain: [], more: 0 });
  });

  it('has the last eight links of its chain, and counts the others', () => {
    const chained = (many: number) =>
      explain(
        traceOf(Array.from({ length: many }, (_, at) => entry.write(at + 1, at + 1, 'a', { causes: at === 0 ? [] : [at] }))),
        failure({ about, traceStep: many }),
      );
    expect([chained(7).chain.length, chained(7).more]).toEqual([7, 0]);
    expect([chained(8).chain.length, chained(8).more]).toEqual([8, 0]);
    expect([chained(9).chain.length, chained(9).more]).toEqual([8, 1]);
    expect(chained(9).chain[0]).toMatchObject({ time: '0.009s', step: '#9', who: 'job', about: 'a', what: 'create Pod' });
  });

  it('has what its objects wait for', () => {
    const waits = ['a node'];
    const { chain, ...rest } = explain(traceOf([entry.write(1, 1, 'a')]), failure({ about, traceStep: 1, waits }));
    expect([chain.length, rest]).toEqual([1, { more: 0, waits }]);
  });
});

describe('a command', () => {
  it('quotes words for the shell where it must', () => {
    for (const plain of ['a.yaml', '/a/b-c_1', 'a:b@c%d+e=f,g']) expect(shellWord(plain)).toBe(plain);
    expect(['', 'a b', "it's", 'a;b', '$a', 'a\nb'].map(shellWord)).toEqual([
      "''",
      "'a b'",
      String.raw`'it'\''s'`,
      "'a;b'",
      "'$a'",
      "'a\nb'",
    ]);
  });

  it('replays a run of a file, of standard input, or of no file', () => {
    expect(replayCommand('a b.yaml', 3, '--x')).toBe("npx orchsim run 'a b.yaml' --seed 3 --x -v");
    expect(replayCommand('<stdin>', 3)).toBe('npx orchsim run - --seed 3 -v');
    expect(replayCommand('', 3)).toBe('npx orchsim run --seed 3 -v');
  });
});
