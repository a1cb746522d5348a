/**
 * The real controllers under random scenarios with faults. `EXPLORE_RUNS=5000 EXPLORE_SEED=7 npx vitest run
 * test/lab/explore/search.test.ts` searches longer; findings are written to .orchsim/found/ and are run with the command that the failure
 * prints.
 */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { jobInvariants } from '../../../src/lab/invariants/job/index.ts';
import { explore, jobScenarios } from '../../../src/lab/explore/index.ts';
import { checkScenarios } from '../../../src/surfaces/testing/index.ts';

const runs = Number(process.env['EXPLORE_RUNS'] ?? 64);
const seed = Number(process.env['EXPLORE_SEED'] ?? 1);
const found = join(import.meta.dirname, '../../../.orchsim/found');
/** A generous timeout for a busy machine, milliseconds. */
const PATIENCE = 60_000 + runs * 200;

const SEEN_WITHOUT = jobInvariants.filter(({ onRequest }) => onRequest === undefined).map(({ name }) => name);
const ONLY_TRACKED = new Set(['job/counts-never-shrink', 'job/pods-counted-once', 'job/completed-indexes-only-grow']);

describe.each([
  ['without finalizers', false],
  ['with finalizers', true],
] as const)('Jobs %s', (name, JobTrackingWithFinalizers) => {
  it(`hold in ${runs} scenarios, and each property is exercised`, { timeout: PATIENCE }, () => {
    const { exercised } = checkScenarios(jobScenarios({ featureGates: { JobTrackingWithFinalizers } }), {
      seed,
      runs,
      out: join(found, `job-${name.replace(' ', '-')}-${seed}.yaml`),
    });
    const unseen = SEEN_WITHOUT.filter(
      (each) => (JobTrackingWithFinalizers || !ONLY_TRACKED.has(each)) && (exercised.get(each) ?? 0) === 0,
    );
    expect(unseen).toEqual([]);
  });
});

describe('a search', () => {
  it('finds the known effect of lost responses: a creation is made twice', () => {
    const { finding } = explore(jobScenarios({ lostAnswers: true }), {
      seed: 3,
      runs: 2000,
      broken: ({ failures }) => failures.some(({ invariant }) => invariant === 'job/active-within-parallelism'),
    });
    expect(finding?.scenario.steps.length).toBeLessThanOrEqual(4);
    expect(finding?.file).toContain('loseResponse: true');
  });

  it('generates the same scenarios for the same seed', () => {
    const digests = (): readonly string[] => {
      const seen: string[] = [];
      explore(jobScenarios({ maxOperations: 3 }), {
        seed: 5,
        runs: 6,
        broken: (run) => {
          seen.push(run.digest);
          return false;
        },
      });
      return seen;
    };
    const first = digests();
    expect(first).toHaveLength(6);
    expect(digests()).toEqual(first);
  });
});
