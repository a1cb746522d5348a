/**
 * Invariants describe their state as plain data: an exhaustive search takes two moments of a run as equal only if every invariant would
 * continue in the same way. For one without a description the sequence of its observations is the state, which is sound, and finds fewer
 * equal moments.
 */
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { createFingerprinter } from '../../../src/engine/index.ts';
import { invariants } from '../../../src/lab/invariants/index.ts';
import { stage } from '../../../src/lab/simulation/index.ts';
import { readScenarios } from '../../../src/surfaces/cli/load.ts';

/** Built-in invariants without a description. */
const SILENT: readonly string[] = [];

it('every built-in invariant describes its state', () => {
  expect(invariants.filter((each) => each.check().describe === undefined).map(({ name }) => name)).toEqual(SILENT);
});

/** Shipped scenarios in which, together, invariants have much state. */
const WORLDS: readonly string[] = [
  'scenarios/job/13-finalizer-accounting.yaml',
  'scenarios/cron-job/01-schedule-fires-allow.yaml',
  'scenarios/daemon-set/05-surge.yaml',
  'scenarios/deployment/01-rolling-update.yaml',
  'scenarios/stateful-set/01-scale-up-ordered-ready.yaml',
  'scenarios/lease/03-graceful-hand-over.yaml',
];
/** The invariants that have state there. */
const LEARNING: readonly string[] = [
  'job/pods-counted-once',
  'job/active-within-parallelism',
  'cron-job/forbid-never-overlaps',
  'cron-job/replace-never-overlaps',
  'cron-job/one-job-per-minute',
  'cron-job/history-limits-kept',
  'cron-job/active-list-is-true',
  'stateful-set/at-most-one-pod-per-ordinal',
  'stateful-set/starts-in-order',
  'stateful-set/stops-in-reverse',
  'stateful-set/partition-respected',
  'stateful-set/max-unavailable-respected',
  'deployment/surge-respected',
  'deployment/availability-respected',
  'deployment/old-sets-never-grow',
  'daemon-set/only-where-it-fits',
  'daemon-set/two-only-within-surge',
  'daemon-set/one-on-each-fitting-node',
  'daemon-set/status-tells-the-truth',
  'lease/one-holder',
  'lease/only-the-leader-acts',
  'node/evictions-in-time',
  'node/taints-follow-state',
  'general/uid-lives-once',
  'general/owners-exist',
];
const { scenarios } = readScenarios(WORLDS, { cwd: resolve(import.meta.dirname, '../../..') });

it('as plain data, at any moment, and it changes with observations', { timeout: 60_000 }, () => {
  const prints = createFingerprinter(undefined, false);
  const learnt = new Map<string, Set<string>>();
  for (const { scenario } of scenarios) {
    const staged = stage(scenario, { digest: false, tries: false });
    staged.pauseAt(0);
    for (let events = 0; staged.passing.next().done !== true; events++)
      if (events % 53 === 0)
        for (const { invariant, checker } of staged.judges) {
          const seen = learnt.get(invariant.name) ?? new Set();
          learnt.set(invariant.name, seen.add(JSON.stringify(prints.of(checker.describe?.()))));
        }
  }
  const learning = [...learnt].filter(([, seen]) => seen.size > 1).map(([name]) => name);
  expect(learning).toEqual(LEARNING);
});
