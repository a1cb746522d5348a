/** Headlines of writes, also where the kind has no sentence for a change. */
import { describe, expect, it } from 'vitest';
import { simulate } from '../../../src/lab/simulation/index.ts';
import { headline } from '../../../src/lab/trace/index.ts';
import { shipped } from '../../support/shipped.ts';

const { scenarios } = shipped('scenarios');

/** The headlines of a shipped scenario. */
function reported(name: string): readonly string[] {
  const scenario = scenarios.find((each) => each.scenario.name === name)?.scenario;
  if (scenario === undefined) throw new Error(`there is no ${name}`);
  return (simulate(scenario, { trace: true, tries: false }).trace?.entries ?? []).flatMap((entry) => headline(entry) ?? []);
}

describe('a headline', () => {
  it.each([
    [
      'job-crash-between-writes',
      [
        /^creates Job trio$/,
        /^creates Pod trio-0-\w+ for Job trio$/,
        /^binds trio-0-\w+ to node-\d$/,
        /^trio-0-\w+ is ready \(was starting\)$/,
        /^trio-0-\w+ is done \(was ready\)$/,
        /^trio is complete: 3 done \(was 1\)$/,
        /^accepts trio-1-\w+, and starts it$/,
        /^reports SuccessfulCreate: Created pod: /,
      ],
    ],
    ['lesson-wanted-and-found', [/^web(?:-\w+)? has 3 ready addresses \(was \d\)$/]],
    ['lesson-stuck-rollout', [/^team has 3 of 3 pods in use$/, /^finds no node for shop-/]],
    ['lesson-autoscaler', [/^shop wants 6 replicas \(was 0; 2 exist\)$/, /^shop reads \d+% utilization/]],
    ['stateful-set-identity', [/^counts db: 2 ready \(was 1\)$/, /^marks Pod db-0 for deletion/, /^deletes Pod db-0$/]],
    [
      'deployment-progress-deadline',
      [
        /^web is rolled out: 3 available/,
        /^scales web-\w+ to 1 \(was 0\)$|^scales web-\w+ to 0 \(was 1\)$/,
        /^web is stuck$/,
        /^counts web-\w+: 1 existing/,
      ],
    ],
    ['node-silent-and-back', [/^node-0 is now silent \(was ready\)$/]],
    [
      'lease-leader-cut-off',
      [/^controller-manager-1_\S+ acquires orch-system\/orch-controller-manager \(held by controller-manager_\S+ before\)$/],
    ],
  ] as const)('of %s says what happened', (name, wanted) => {
    const lines = reported(name);
    for (const each of wanted) expect(lines, String(each)).toContainEqual(expect.stringMatching(each));
  });

  it('is there for every write, and for nothing else', () => {
    const [first] = scenarios;
    if (first === undefined) throw new Error('there are none');
    for (const entry of simulate(first.scenario, { trace: true }).trace?.entries ?? []) {
      if (entry.type === 'write') expect(headline(entry)).toMatch(/\S/);
      else expect(headline(entry)).toBeUndefined();
    }
  });
});

it('has no JSON: of a structure it names the field', () => {
  for (const name of ['lesson-wanted-and-found', 'lesson-volume', 'lesson-rolling-update'])
    expect(reported(name).filter((text) => /[{}]|\["|":/.test(text) && !text.startsWith('reports '))).toEqual([]);
});
