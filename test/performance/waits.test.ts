/** A step that waits for an object looks at those that have changed, not at all of the kind after each change. */
import { expect, it } from 'vitest';
import { readScenarios } from '../../src/index.ts';
import { simulate } from '../../src/lab/simulation/index.ts';

const scenario = (pods: number): string => `apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: waits }
spec:
  cluster: { nodes: { count: 1 }, podBehaviors: [{ runFor: 1s }] }
  steps:
    - apply: { apiVersion: batch/v1, kind: Job, metadata: { name: work }, spec: { completions: ${pods}, parallelism: ${pods}, template: { spec: { restartPolicy: Never, containers: [{ name: c, image: "work:1" }] } } } }
    - waitFor: { match: { kind: Pod, metadata: { labels: { job-name: work } }, status: { phase: Succeeded } }, within: 1h }
`;

/** How often the pods of the store were listed while a scenario ran. */
function listsOf(pods: number): number {
  const read = readScenarios(scenario(pods));
  const [wanted] = 'scenarios' in read ? read.scenarios : [];
  if (wanted === undefined) throw new Error('the scenario was not read');
  let lists = 0;
  const run = simulate(wanted, {
    onCluster({ store }) {
      const { values } = store;
      Object.assign(store, {
        values: (kind: string) => {
          if (kind === 'Pod' && new Error().stack?.includes('expectations') === true) lists++;
          return values.call(store, kind);
        },
      });
    },
  });
  expect(run.verdict).toBe('held');
  return lists;
}

it('is the same number of lists for many pods as for few', () => {
  const few = listsOf(4);
  expect(few).toBeGreaterThan(0);
  expect(listsOf(40)).toBe(few);
});
