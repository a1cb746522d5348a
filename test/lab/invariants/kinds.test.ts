/** When each temporal kind of invariant is evaluated: at writes, at deadlines, at the end. */
import { describe, expect, it } from 'vitest';
import type { Checker, Invariant, Temporal } from '../../../src/lab/invariants/index.ts';
import { simulate, type Run } from '../../../src/lab/simulation/index.ts';
import { scenarioIn } from '../../support/scenarios.ts';

const invariant = (temporal: Temporal, check: () => Checker): Invariant => ({
  name: 'test/one',
  temporal,
  description: 'A property of a test.',
  kinds: ['ConfigMap'],
  check,
});

/** A ConfigMap created at 1 s and changed at 30 s, in a run of a minute, or until the cluster is settled. */
function run(one: Invariant, { named = false, until = '1m' } = {}): Run {
  const scenario = scenarioIn(`
apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: story }
spec:
  ${until === '' ? '' : `until: ${until}`}
  cluster: { nodes: { count: 1 } }
  steps:
    - { at: 1s, create: { apiVersion: v1, kind: ConfigMap, metadata: { name: c } } }
    - { at: 30s, patch: { target: ConfigMap/c, type: merge, patch: { data: { a: b } } } }`);
  return simulate({ ...scenario, ...(named ? { invariants: ['test/one'] } : {}) }, { invariants: [one] });
}

const found = ({ failures }: Run): readonly string[] =>
  failures.map(({ invariant: name, message, sinceStartMs }) => `${name ?? ''} at ${sinceStartMs / 1000} s: ${message}`);
const since = (now: number): number => now - Date.UTC(2024, 2, 1);

describe('always', () => {
  it('is evaluated at every write of its kinds, and not after a violation', () => {
    let asked = 0;
    const one = invariant('always', () => ({
      exercised: 1,
      onChange: ({ type }) => {
        asked++;
        return type === 'ADDED' ? { message: 'it is there' } : undefined;
      },
    }));
    expect(found(run(one))).toEqual(['test/one at 1 s: it is there']);
    expect(asked).toBe(1);
  });

  it('names the object in question', () => {
    const one = invariant('always', () => ({ exercised: 1, onChange: ({ object }) => ({ message: 'see', object }) }));
    expect(run(one).failures[0]?.about).toEqual({ kind: 'ConfigMap', namespace: 'default', name: 'c' });
  });
});

describe('eventually', () => {
  it('is evaluated at its deadline, and no sooner', () => {
    const one = invariant('eventually', () => ({
      exercised: 1,
      deadline: () => Date.UTC(2024, 2, 1) + 20_000,
      onTime: ({ now }) => ({ message: `late by ${since(now) - 20_000} ms` }),
    }));
    const [message = ''] = found(run(one));
    expect(message).toMatch(/^test\/one at (2\d|30)(\.\d+)? s: late by \d+ ms$/);
  });

  it('is not evaluated without a deadline, or when the run ends before it', () => {
    for (const deadline of [undefined, Date.UTC(2024, 2, 1) + 61_000]) {
      expect(
        found(run(invariant('eventually', () => ({ exercised: 1, deadline: () => deadline, onTime: () => ({ message: 'late' }) })))),
      ).toEqual([]);
    }
  });
});

describe('stable', () => {
  const one = invariant('stable', () => ({ exercised: 1, onEnd: (_facts, settled) => ({ message: settled ? 'settled' : 'cut off' }) }));

  it('is evaluated at the end, and receives whether everything had settled', () => {
    expect(found(run(one, { until: '' }))).toEqual(['test/one at 30 s: settled']);
    expect(found(run(one))).toEqual(['test/one at 60 s: settled']);
  });
});

describe('sometimes', () => {
  const seeing = (times: number): Invariant =>
    invariant('sometimes', () => {
      let exercised = 0;
      return {
        get exercised() {
          return exercised;
        },
        onChange: () => {
          if (exercised < times) exercised++;
          return undefined;
        },
      };
    });

  it('counts what it saw, and breaks nothing by not seeing it', () => {
    expect(run(seeing(2)).invariants).toEqual([{ name: 'test/one', temporal: 'sometimes', held: true, exercised: 2 }]);
    expect(run(seeing(0)).invariants).toEqual([{ name: 'test/one', temporal: 'sometimes', held: true, exercised: 0 }]);
  });

  it('selected by name, must be seen', () => {
    expect(found(run(seeing(1), { named: true }))).toEqual([]);
    expect(found(run(seeing(0), { named: true }))).toEqual(['test/one at 60 s: it was never seen (A property of a test)']);
  });
});
