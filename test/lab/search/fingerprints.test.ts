/** What the state watch of an exhaustive search need not look at again. */
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { createFingerprinter, fingerprintText } from '../../../src/engine/index.ts';
import { watchState } from '../../../src/lab/search/exhaustive/state.ts';
import { stage } from '../../../src/lab/simulation/index.ts';
import { readScenarios } from '../../../src/surfaces/cli/load.ts';

it.each([
  'scenarios/job/02-indexed.yaml',
  'scenarios/stateful-set/01-scale-up-ordered-ready.yaml',
  'scenarios/deployment/01-rolling-update.yaml',
  'scenarios/lease/03-graceful-hand-over.yaml',
])('what an invariant without deadlines knows changes only with objects of its kinds: %s', (file) => {
  const [loaded] = readScenarios([file], { cwd: resolve(import.meta.dirname, '../../..') }).scenarios;
  if (loaded === undefined) throw new Error(`${file} is not read`);
  const { cluster, judges, passing, pauseAt } = stage(loaded.scenario, { tries: false, eagerLeases: true });
  const { of } = createFingerprinter(undefined, false);
  const timeless = judges.filter(({ checker }) => checker.deadline === undefined && checker.describe !== undefined);
  const known = new Map<string, string>();
  const changed = new Set<string>();
  cluster.store.onChange(({ kind }) => void changed.add(kind));
  const wrong: string[] = [];
  pauseAt(0);
  do {
    for (const { broken, checker, invariant } of timeless) {
      const now = fingerprintText(of([broken, checker.exercised > 0, checker.describe?.()]));
      const isAsked = invariant.kinds.some((kind) => kind === '*' || changed.has(kind));
      if (!isAsked && known.has(invariant.name) && known.get(invariant.name) !== now) wrong.push(`${cluster.now} ${invariant.name}`);
      known.set(invariant.name, now);
    }
    changed.clear();
  } while (passing.next().done !== true);
  expect(timeless.length).toBeGreaterThan(5);
  expect(wrong).toEqual([]);
});

it.each([
  ['a frozen record', Object.freeze],
  ['a frozen record with metadata', (seen: object) => Object.freeze({ ...seen, metadata: {} })],
  ['a frozen record with a kind', (seen: object) => Object.freeze({ ...seen, kind: 'Pod' })],
  ['an object that is not frozen', (seen: object) => ({ ...seen, kind: 'Pod', metadata: {} })],
])('%s is looked at each time: its members can change', (_, made: (seen: object) => object) => {
  const seen: string[] = [];
  const value = made({ seen });
  const cluster = { describe: (visit: (part: string, value: unknown) => void) => visit('part', value), store: { onChange() {} } };
  const states = watchState({ cluster, position: {}, judges: [] } as never);
  const before = fingerprintText(states.now());
  expect(fingerprintText(states.now())).toBe(before);
  seen.push('a change');
  expect(fingerprintText(states.now())).not.toBe(before);
});
