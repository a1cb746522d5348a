/** Smaller candidates of a finding: subsets of choices, and scenarios with less in them. */
import { describe, expect, it } from 'vitest';
import type { Scenario } from '../../../src/lab/scenario/index.ts';
import { fewest, smaller } from '../../../src/lab/search/shrink/smaller.ts';
import { scenarioIn } from '../../support/scenarios.ts';

describe('the fewest items', () => {
  const all = [1, 2, 3, 4, 5, 6, 7, 8];
  const needing = (...needed: readonly number[]) => {
    const tried: string[] = [];
    const left = fewest(all, (items) => {
      tried.push(items.join(''));
      return needed.every((item) => items.includes(item));
    });
    return [left, tried.length] as const;
  };

  it.each([[[]], [[3]], [[8]], [[1, 8]], [[2, 5, 7]], [all]])('are those that are needed: %j', (needed) => {
    expect(needing(...needed)[0]).toEqual(needed);
  });

  it('are found with few trials, halves first', () => {
    const tried: string[] = [];
    fewest(all, (items) => {
      tried.push(items.join(''));
      return items.includes(3);
    });
    expect(tried).toEqual(['5678', '1234', '34', '4', '3', '']);
    expect([needing()[1], needing(8)[1], needing(...all)[1]]).toEqual([4, 4, 14]);
    expect(fewest([1], () => true)).toEqual([]);
    expect(fewest([1], ({ length }) => length > 0)).toEqual([1]);
    expect(fewest([], () => true)).toEqual([]);
  });
});

describe('a smaller scenario', () => {
  const scenario = (steps: readonly string[], spec = ''): Scenario =>
    scenarioIn(`apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: small }
spec:
  cluster: { nodes: { count: 5 } }
  ${spec}
  steps:
${steps.map((step) => `    - ${step}`).join('\n')}`);
  const job = (spec: string): string =>
    `apply: { apiVersion: batch/v1, kind: Job, metadata: { name: j }, spec: { ${spec}, template: { spec: { restartPolicy: Never, terminationGracePeriodSeconds: 2, containers: [{ name: c, image: "c:1" }] } } } }`;
  const text = ({ steps, cluster, manifests }: Scenario): string => {
    const inSteps = steps.map((step) =>
      step.verb === 'apply' ? JSON.stringify(step.objects.map(({ object }) => sizes(object))) : step.verb,
    );
    return `${cluster.nodes.length} nodes, ${manifests.length} manifests: ${inSteps.join(' ')}`;
  };
  const sizes = (object: unknown): unknown => {
    const { spec } = object as {
      spec?: { completions?: number; parallelism?: number; template?: { spec: { terminationGracePeriodSeconds: number } } };
    };
    return [spec?.completions ?? 0, spec?.parallelism ?? 0, spec?.template?.spec.terminationGracePeriodSeconds ?? 0];
  };

  it('has a step less, fewer nodes, or smaller numbers, and keeps its waits and expectations', () => {
    const all = scenario([
      'note: It begins.',
      job('completions: 20, parallelism: 4'),
      'waitFor: { count: { of: { kind: Pod }, atLeast: 1 } }',
      'fault: { crash: scheduler }',
      'expect: { count: { of: { kind: Pod }, atLeast: 1 } }',
    ]);
    const is = '[[20,4,2]]';
    expect([...smaller(all)].map(text)).toEqual([
      `5 nodes, 0 manifests: note ${is} waitFor expect`,
      `5 nodes, 0 manifests: note waitFor fault expect`,
      `5 nodes, 0 manifests: ${is} waitFor fault expect`,
      `1 nodes, 0 manifests: note ${is} waitFor fault expect`,
      `2 nodes, 0 manifests: note ${is} waitFor fault expect`,
      `4 nodes, 0 manifests: note ${is} waitFor fault expect`,
      ...['[[1,4,2]]', '[[10,4,2]]', '[[20,1,2]]', '[[20,2,2]]', '[[20,3,2]]', '[[20,4,1]]'].map(
        (each) => `5 nodes, 0 manifests: note ${each} waitFor fault expect`,
      ),
    ]);
  });

  it('may lack a wait that is the last thing', () => {
    const waits = 'waitFor: { count: { of: { kind: Pod }, atLeast: 1 } }';
    const removed = [...smaller(scenario(['note: a', waits, 'note: b', waits, 'note: c']))]
      .slice(0, 4)
      .map(({ steps }) => steps.map(({ verb }) => verb).join(' '));
    expect(removed).toEqual([
      'note waitFor note waitFor',
      'note waitFor note note',
      'note waitFor waitFor note',
      'waitFor note waitFor note',
    ]);
  });
});
