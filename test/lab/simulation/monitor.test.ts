/** Invariants of a run: which changes each receives, when its time is asked for, and what breaks it once. */
import { describe, expect, it } from 'vitest';
import type { Cluster } from '../../../src/controlplane/cluster.ts';
import type { Invariant } from '../../../src/lab/invariants/index.ts';
import { monitor } from '../../../src/lab/simulation/monitor.ts';

type Checks = Omit<ReturnType<Invariant['check']>, 'exercised'> & { exercised?: number };
const invariantOf = (name: string, kinds: readonly string[], checks: Checks = {}, more: Partial<Invariant> = {}): Invariant => ({
  name,
  temporal: 'always',
  description: `It is ${name}.`,
  kinds,
  check: () => ({ exercised: 1, ...checks }),
  ...more,
});

/** A monitor of invariants, with what it reports; those named in full end with `!`. */
function watching(invariants: readonly Invariant[], named: readonly string[] = []) {
  const cluster = { now: 0 };
  const reports: unknown[] = [];
  const watch = monitor(
    cluster as Cluster,
    'facts' as never,
    invariants.map((invariant) => ({ invariant, named: named.includes(invariant.name) })),
    ({ name }, { message }, isByWrite) => reports.push([name, message, isByWrite]),
  );
  return { cluster, reports, watch, change: (kind: string) => watch.onChange({ kind } as never, 'job', 'manager') };
}

describe('a change', () => {
  it('reaches those of its kind, then those of all kinds, with its author', () => {
    const calls: unknown[] = [];
    const noting = (name: string, kinds: readonly string[]) =>
      invariantOf(name, kinds, { onChange: (...args: readonly unknown[]) => void calls.push([name, ...args]) });
    const { change } = watching([
      noting('all', ['*']),
      noting('pods', ['Pod', 'Job']),
      noting('nodes', ['Node']),
      invariantOf('none', ['Pod']),
    ]);
    for (const kind of ['Pod', 'Secret', 'Job']) change(kind);
    const call = (name: string, kind: string) => [name, { kind }, 'facts', 'job', 'manager'];
    expect(calls).toEqual([call('pods', 'Pod'), call('all', 'Pod'), call('all', 'Secret'), call('pods', 'Job'), call('all', 'Job')]);
    const few = watching([noting('nodes', ['Node'])]);
    few.change('Pod');
    expect(calls).toHaveLength(5);
  });

  it('breaks an invariant once; by the write where it is one of always', () => {
    let count = 0;
    const breaking = { onChange: () => ({ message: `broken ${++count}` }) };
    const { change, reports, watch } = watching([
      invariantOf('always', ['Pod'], breaking),
      invariantOf('eventually', ['Pod'], breaking, { temporal: 'eventually' as never }),
      invariantOf('holds', ['Pod'], { onChange: () => undefined }),
    ]);
    change('Pod');
    change('Pod');
    expect(reports).toEqual([
      ['always', 'broken 1', true],
      ['eventually', 'broken 2', false],
    ]);
    expect(watch.results()).toEqual([
      { name: 'always', temporal: 'always', held: false, exercised: 1 },
      { name: 'eventually', temporal: 'eventually', held: false, exercised: 1 },
      { name: 'holds', temporal: 'always', held: true, exercised: 1 },
    ]);
    expect(watch.judges.map(({ broken, invariant }) => `${invariant.name} ${broken}`)).toEqual([
      'always true',
      'eventually true',
      'holds false',
    ]);
  });
});

describe('a deadline', () => {
  it('is asked for at its time, unless the invariant is broken', () => {
    const times: number[] = [];
    const { cluster, reports, watch, change } = watching([
      invariantOf('late', ['Pod'], { deadline: () => 10, onTime: () => ({ message: 'too late' }) }),
      invariantOf('never', ['Pod'], { deadline: () => undefined, onTime: () => ({ message: 'never' }) }),
      invariantOf('untimed', ['Pod'], { onTime: () => ({ message: 'untimed' }) }),
      invariantOf('broken', ['Job'], {
        deadline: () => (times.push(1), 5),
        onChange: () => ({ message: 'first' }),
        onTime: () => ({ message: 'again' }),
      }),
      invariantOf('without', ['Pod'], { deadline: () => 1 }),
    ]);
    change('Job');
    for (const now of [9, 10, 11]) {
      cluster.now = now;
      watch.onStep();
    }
    expect(reports).toEqual([
      ['broken', 'first', true],
      ['late', 'too late', false],
    ]);
    expect(times).toEqual([]);
  });
});

describe('the end', () => {
  const ends = (settled: boolean, named: readonly string[], ...invariants: readonly Invariant[]) => {
    const { watch, reports } = watching(invariants, named);
    watch.end(settled);
    return reports;
  };

  it('evaluates each that is not broken, with whether the run settled', () => {
    const asking = invariantOf('ends', [], {
      onEnd: (_: unknown, settled: boolean) => ({ message: settled ? 'at rest' : 'under way' }),
    });
    expect([ends(true, [], asking), ends(false, [], asking)]).toEqual([[['ends', 'at rest', false]], [['ends', 'under way', false]]]);
    const { watch, reports, change } = watching([
      invariantOf('once', ['Pod'], { onChange: () => ({ message: 'first' }), onEnd: () => ({ message: 'again' }) }),
    ]);
    change('Pod');
    watch.end(true);
    expect(reports).toEqual([['once', 'first', true]]);
  });

  it('reports a named invariant that nothing exercised, and what was never seen', () => {
    const idle = (temporal: string) => invariantOf(temporal, [], { exercised: 0 }, { temporal: temporal as never });
    expect(ends(true, ['always', 'sometimes'], idle('always'), idle('sometimes'), idle('until'))).toEqual([
      ['always', 'it was never exercised: nothing in this run could have broken it (It is always)', false],
      ['sometimes', 'it was never seen (It is sometimes)', false],
    ]);
    expect(ends(true, ['busy'], invariantOf('busy', []))).toEqual([]);
  });
});
