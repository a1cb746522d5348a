/** Whose failures count in a search, how causes are told apart, and what a search says that it has tried. */
import { describe, expect, it } from 'vitest';
import type { Job } from '../../../src/apiserver/kinds/index.ts';
import { job } from '../../../src/controlplane/controllers/job/controller.ts';
import type { Controller } from '../../../src/controlplane/runtime/index.ts';
import { create, defineConfig, defineController, idle, watch, write } from '../../../src/index.ts';
import { type Cause, search, type Searched, type SearchOptions } from '../../../src/lab/search/index.ts';
import { replaying } from '../../../src/lab/choices/index.ts';
import { baseline } from '../../../src/lab/search/baseline.ts';
import { isBroken, judgementOf } from '../../../src/lab/search/judgement.ts';
import { attempt } from '../../../src/lab/search/reproduction.ts';
import type { PointChoice, Scenario } from '../../../src/lab/scenario/index.ts';
import { seeing, withMutant } from '../../support/mutants.ts';
import { scenarioIn } from '../../support/scenarios.ts';
import { type Correct, definitionsOf, scenarioOf } from './correct/model.ts';
import { podKeeper } from './correct/pod-keeper.ts';
import { scaleUser } from './correct/scale-user.ts';

const searched = (scenario: Scenario, options: SearchOptions): Searched => {
  const found = search(scenario, options);
  if ('unfit' in found) throw new Error(`${found.unfit}: ${found.messages.join('; ')}`);
  return found;
};

/** Makes one object of a kind for each Service, and trusts its cache. */
const maker = (kind: 'ConfigMap' | 'Secret'): Controller =>
  defineController({
    name: `${kind.toLowerCase()}-maker`,
    reconciles: 'Service',
    writes: [kind],
    watches: [watch(kind, () => undefined)],
    reconcile({ self, cache }) {
      if (cache.controlledBy(kind, self).length > 0) return idle('it is there');
      const { namespace = '', name, uid } = self.metadata;
      const ownerReferences = [{ apiVersion: 'v1', kind: 'Service', name, uid, controller: true }];
      return write('it is missing', create({ apiVersion: 'v1', kind, metadata: { namespace, generateName: `${name}-`, ownerReferences } }));
    },
  });

const story = (rest: string, invariants?: string): Scenario =>
  scenarioIn(`apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: made }
spec:
  until: 20s
  cluster: { nodes: { count: 1 }, latency: { api: 2ms, watch: 1ms }, podBehaviors: [{ startDelay: 200ms, runFor: 3s }] }
${invariants === undefined ? '' : `  invariants: ${invariants}\n`}  steps:
    - at: 1s
      apply: { apiVersion: v1, kind: Service, metadata: { name: web }, spec: { ports: [{ port: 80 }] } }
    - at: 2s
      patch: { target: Service/web, type: merge, patch: { metadata: { labels: { seen: "yes" } } } }
${rest}`);

const JOB = `    - at: 3s
      apply: { apiVersion: batch/v1, kind: Job, metadata: { name: a }, spec: { completions: 2, parallelism: 1, template: { spec: { restartPolicy: Never, containers: [{ name: c, image: "c:1" }] } } } }
    - at: 20s
      expect: { match: { kind: Job, metadata: { name: a } } }
`;

describe('what counts', () => {
  const innocent = defineController({ name: 'innocent', reconciles: 'Service', writes: [], reconcile: () => idle('nothing to do') });
  const own = { controllers: [innocent] } as NonNullable<SearchOptions['with']>;
  const scenario = story(JOB);
  /** The built-in Job controller does not wait for its own writes. */
  const planted = {
    with: own,
    faults: ['hold'],
    runs: 1,
    corpus: [[{ at: 'see controller-manager Pod default/a~1 #1', injectedFault: { do: 'hold', ms: 10 } }]] as const,
    controllers: withMutant(seeing<Job>(job, (input) => ({ ...input, expectationsSatisfied: true }))),
  };

  it('is what is mine: a bug in built-in code is listed apart, and is a finding for --judge all', () => {
    const mine = searched(scenario, planted);
    expect(mine.findings).toEqual([]);
    expect(mine.elsewhere.map(({ cause }) => [cause.claim, cause.controller])).toContainEqual(['job/active-within-parallelism', 'job']);
    const [first] = searched(scenario, { ...planted, judge: 'all' }).findings;
    expect(first?.decider).toMatchObject({ controller: 'job', isMine: false });
    expect(first?.words[2]).toMatch(/^saw .* job, built in, of controller-manager, decided about a, /);
  });

  it('is everything when no controller is mine', () => {
    const { findings, elsewhere } = searched(scenario, { ...planted, with: {} });
    expect([findings.map(({ cause }) => cause.claim), elsewhere]).toEqual([['job/active-within-parallelism'], []]);
  });

  it('is an expectation, a named or defined invariant, my controller, and a general invariant of an object of mine', () => {
    const { counts } = judgementOf(story(JOB, "[{ name: said, always: 'true' }, general/owners-exist]"), { with: own });
    const judged = (cause: Partial<Cause>): boolean => counts({ claim: 'job/active-within-parallelism', message: '', ...cause });
    expect([
      judged({ claim: 'the expectation at line 3, column 4' }),
      judged({ claim: 'said', controller: 'job' }),
      judged({ claim: 'general/owners-exist', controller: 'garbage-collector' }),
      judged({ controller: 'innocent' }),
      judged({ claim: 'no livelock', controller: 'innocent, job' }),
      judged({ claim: 'general/uid-lives-once', controller: 'job', own: true }),
      judged({ claim: 'the cluster settles' }),
    ]).toEqual([true, true, true, true, true, true, true]);
    expect([
      judged({ controller: 'job' }),
      judged({ controller: 'job', own: true }),
      judged({}),
      judged({ claim: 'general/uid-lives-once', controller: 'job' }),
      judged({ claim: 'no starvation', controller: 'job' }),
      judged({ claim: 'the cluster settles', controller: 'endpoint-slice' }),
    ]).toEqual([false, false, false, false, false, false]);
  });
});

describe('a cause', () => {
  const expectation = `    - at: 20s
      expect: { cel: "objects('ConfigMap').filter(c, c.metadata.name.startsWith('web-')).size() + objects('Secret').filter(c, c.metadata.name.startsWith('web-')).size() == COUNT" }
`;
  const both = defineConfig({ controllers: [maker('ConfigMap'), maker('Secret')] });

  it('behind another one on the same expectation is found and told', () => {
    const { findings } = searched(story(expectation.replace('COUNT', '2')), { with: both, faults: ['hold'], runs: 96 });
    expect(
      findings.map(({ decider, misled }) => [decider?.controller, misled.join()]).toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1)),
    ).toEqual([
      ['configmap-maker', 'ConfigMap'],
      ['secret-maker', 'Secret'],
    ]);
    for (const { choices, story: told } of findings) {
      expect(choices).toHaveLength(1);
      expect(told.did).toMatch(/^it wrote create (ConfigMap|Secret) web-…, because "it is missing"/);
    }
  });

  it('is one finding, however many claims it breaks, with a story and the usual remedy', () => {
    const twice = `${expectation}      # the same, said twice\n${expectation}`.replaceAll('COUNT', '1');
    const invariant = `[{ name: one, always: "objects('ConfigMap').filter(c, c.metadata.name.startsWith('web-')).size() <= 1" }]`;
    const { findings, statistics } = searched(story(twice, invariant), {
      with: { controllers: [maker('ConfigMap')] },
      faults: ['hold', 'slow'],
      runs: 32,
    });
    const [{ words, hint, cause } = { words: [], hint: undefined, cause: undefined }, ...more] = findings;
    expect([more, cause?.claim, hint?.idiom]).toEqual([[], 'one', 'deterministic name']);
    expect(words.slice(0, 5).map((line) => line.split(' ')[0])).toEqual(['wanted', 'world', 'saw', 'did', 'broke']);
    expect(words[2]).toMatch(/configmap-maker, yours, decided about web, but its cache lacked ConfigMap web-…, created \S+ before/);
    expect(words[4]).toMatch(/^broke {3}one at \S+: /);
    expect(statistics.moments.single.size).toBeGreaterThan(0);
  });
});

/** What breaks in a story of a correct controller under these faults, by the address of their points. */
function brokenIn(
  correct: Correct,
  told: string,
  faults: Readonly<Record<string, object>>,
  judge: 'mine' | 'all' = 'mine',
): readonly Cause[] {
  const story = correct.stories[told];
  if (story === undefined) throw new Error(`there is no story ${told}`);
  const making = { with: definitionsOf(correct), judge };
  const found = baseline(scenarioOf(correct, told, story), making);
  if ('unfit' in found) throw new Error(found.unfit);
  const choices = Object.entries(faults).map(([at, injectedFault]) => ({ at, injectedFault }) as unknown as PointChoice);
  return attempt(found.quiescence.scenario, making, replaying(choices)).broken;
}

describe('long cuts of a process', () => {
  it('use up the 15 retries after which v1.24 drops a Deployment: an expectation that fails then is reported apart', () => {
    const faults = {
      'decide controller-manager dial default/x w2+1': { do: 'cut', ms: 60_000 },
      'write controller-manager deployment default/web: patch ReplicaSet #6': {
        do: 'meddle',
        edit: 'annotate',
        of: 'object',
        undoMs: 3_000,
      },
      'decide controller-manager node-lifecycle node-0 w4+1': { do: 'cut', ms: 60_000 },
    };
    const mine = brokenIn(scaleUser, 'scale', faults);
    expect(mine.filter(({ claim }) => claim.startsWith('the expectation'))).toMatchObject([
      { elsewhere: true, gaveUp: 'deployment default/web', message: expect.stringContaining('gives up') as string },
    ]);
    expect(isBroken(mine)).toBe(false);
    expect(isBroken(brokenIn(scaleUser, 'scale', faults, 'all'))).toBe(true);
  });

  it('let the collector back off: what it owes comes as late as its next retry', () => {
    const faults = {
      'decide controller-manager keeper default/x w2+2': { do: 'cut', ms: 20_000 },
      'decide controller-manager node-lifecycle node-0 w0+2': { do: 'cut', ms: 60_000 },
      'decide controller-manager node-lifecycle node-0 w0+3': { do: 'cut', ms: 60_000 },
    };
    expect(brokenIn(podKeeper, 'recreate', faults)).toEqual([]);
  });
});
