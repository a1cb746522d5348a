import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  faultCalls,
  inOrder,
  jobScenarios,
  lostAnswers,
  operations,
  ownershipScenarios,
  volumeScenarios,
} from '../../../src/lab/explore/index.ts';
import type { WorkloadOperation } from '../../../src/lab/explore/index.ts';
import { faults } from '../../../src/lab/faults/index.ts';
import { formatScenario, type Scenario, type Step } from '../../../src/lab/scenario/index.ts';
import { simulate } from '../../../src/lab/simulation/index.ts';
import { readScenarios } from '../../../src/lab/vocabulary.ts';

/** Returns a scenario without source positions. */
const withoutPlaces = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (key, inner: unknown) => (key === 'source' ? undefined : inner)));

function reread(scenario: Scenario): unknown {
  const read = readScenarios(formatScenario(scenario, { faults }));
  return 'scenarios' in read ? withoutPlaces(read.scenarios[0]) : read.problems;
}

describe('random scenarios', () => {
  it('are files that read back as themselves', () => {
    fc.assert(
      fc.property(jobScenarios({ maxOperations: 10 }), (scenario) => {
        expect(reread(scenario)).toEqual(withoutPlaces(scenario));
      }),
      { seed: 3, numRuns: 150 },
    );
  });

  it('cover modes, policies, operations, faults', () => {
    const text = JSON.stringify(fc.sample(jobScenarios({ maxOperations: 10 }), { seed: 3, numRuns: 300 }));
    const corners = [
      '"completionMode":"Indexed"',
      '"restartPolicy":"OnFailure"',
      '"suspend":true',
      'activeDeadlineSeconds',
      'ttlSecondsAfterFinished',
      'exitCodesByIndex',
      '"name":"j3"',
      '"nth":',
      '"Orphan"',
      '"Foreground"',
      '"minMs":0,"maxMs":50',
      '"afterWrites"',
      '"nodeDown"',
      '"nodeUp"',
      '"lag"',
      '"failRequest"',
      '"partition"',
      '"relist"',
    ];
    expect(corners.filter((corner) => !text.includes(corner))).toEqual([]);
  });

  it('can be without faults, or with lost responses only', () => {
    const verbs = new Set(
      fc
        .sample(jobScenarios({ faults: false, maxOperations: 10 }), { seed: 3, numRuns: 50 })
        .flatMap(({ steps }) => steps.map(({ verb }) => verb)),
    );
    expect(verbs).not.toContain('fault');
    expect(fc.sample(lostAnswers, { seed: 3, numRuns: 5 }).every(({ parameters }) => parameters['loseResponse'] === true)).toBe(true);
    expect(fc.sample(faultCalls, { seed: 3, numRuns: 100 }).some(({ parameters }) => parameters['loseResponse'] === true)).toBe(false);
    expect(fc.sample(operations(['a']), { seed: 3, numRuns: 50 }).length).toBe(50);
  });
});

describe('random scenarios around volumes', () => {
  it('run the single pod beside the set, on a volume of its own', () => {
    const scenario = fc
      .sample(volumeScenarios({ maxSteps: 0 }), { seed: 3, numRuns: 20 })
      .find(({ steps }) => JSON.stringify(steps).includes('"claimName":"own"'));
    if (scenario === undefined) throw new Error('none of them has the single pod');
    const { failures, cluster } = simulate(scenario);
    expect(failures).toEqual([]);
    expect(cluster.store.get('Pod', 'default/single')?.status.phase).toBe('Running');
  });
});

describe('random scenarios around ownership', () => {
  it('have a foreign finalizer on about a quarter of their objects, so that most deletions are not blocked', () => {
    const objects = fc
      .sample(ownershipScenarios({ maxSteps: 1 }), { seed: 3, numRuns: 200 })
      .flatMap(({ steps }) => steps.flatMap((step) => (step.verb === 'apply' ? step.objects : [])));
    const held = objects.filter(({ object }) => object.metadata?.['finalizers'] !== undefined);
    expect(held.length / objects.length).toBeGreaterThan(0.18);
    expect(held.length / objects.length).toBeLessThan(0.35);
  });
});

describe('the order of operations', () => {
  const at = (atMs: number, name: string, subject: string, parameters: Readonly<Record<string, unknown>> = {}): Step => ({
    timing: { when: 'at', atMs },
    verb: 'fault',
    fault: { name, subject, parameters },
  });
  const reported = (workloadOperations: readonly WorkloadOperation[]): readonly string[] =>
    inOrder(workloadOperations).map(
      (step) =>
        `${step.timing.when === 'at' ? step.timing.atMs : '?'} ${step.verb === 'fault' ? `${step.fault.name} ${String(step.fault.subject)}` : step.verb}`,
    );

  it('is that of their instants', () => {
    expect(reported([[at(500, 'lag', 'a')], [at(0, 'lag', 'b')], [at(500, 'lag', 'c')]])).toEqual(['0 lag b', '500 lag a', '500 lag c']);
  });

  it('crashes or relists no process that is down, and nodes are silent one at a time', () => {
    const crash = (ms: number): WorkloadOperation => [at(ms, 'crash', 'm', { restartAfter: 100 })];
    const silence = (ms: number, until: number): WorkloadOperation => [at(ms, 'nodeDown', 'n'), at(until, 'nodeUp', 'n')];
    expect(reported([crash(0), crash(100), crash(101), [at(150, 'relist', 'm')], [at(300, 'relist', 'm')]])).toEqual([
      '0 crash m',
      '101 crash m',
      '300 relist m',
    ]);
    expect(reported([silence(0, 50), silence(20, 80), silence(60, 90)])).toEqual([
      '0 nodeDown n',
      '50 nodeUp n',
      '60 nodeDown n',
      '90 nodeUp n',
    ]);
    expect(reported([[at(0, 'crash', 'm', { afterWrites: 2, restartAfter: 1 })], crash(1000)])).toEqual(['0 crash m']);
  });
});
