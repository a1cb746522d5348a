/** The feasible nodes of a pod and the best of them, with plugins made for these tests. */
import { describe, expect, it } from 'vitest';
import { checkNode, checkWithNominated, feasibleNodes, type NamedFilter } from '../../../../src/controlplane/agents/scheduler/filtering.ts';
import { createNodeInfo, type NodeInfo, podInfo, type PodInfo } from '../../../../src/controlplane/agents/scheduler/node-info.ts';
import { Nominator } from '../../../../src/controlplane/agents/scheduler/queue.ts';
import { unresolvable, unschedulable } from '../../../../src/controlplane/agents/scheduler/plugin.ts';
import type { NodeRefusal, Plugin, SchedulerView } from '../../../../src/controlplane/agents/scheduler/plugin.ts';
import { pickBest, scoreNodes } from '../../../../src/controlplane/agents/scheduler/placement.ts';
import { createRandom } from '../../../../src/engine/index.ts';
import { barePod } from '../../../support/objects.ts';

const pod = (name: string, priority = 0): PodInfo => podInfo(barePod(name, 'Pending', { spec: { priority } }));
const named = (plugin: string, check: NamedFilter['filter']['check']): NamedFilter => ({ plugin, filter: { check } });

describe('a node with nominated pods', () => {
  const atMostOne = named('room', ({ pods }) => (pods.size > 0 ? unschedulable('full') : undefined));
  const needsCompany = named('company', ({ pods }) => (pods.size === 0 ? unschedulable('alone') : undefined));
  /** Whether a pod of priority 5 fits on an empty node that is nominated for one of this priority. */
  const fits = (filter: NamedFilter, promised: number): boolean => {
    const nominator = new Nominator();
    nominator.set(pod('promised', promised), 'n');
    return checkWithNominated([filter], createNodeInfo('n'), pod('p', 5), nominator) === undefined;
  };

  it('counts them, if their priority is at least as high', () => {
    expect([4, 5, 6].map((priority) => fits(atMostOne, priority))).toEqual([true, false, false]);
  });

  it('must also fit without them, because they may never be bound', () => {
    expect([fits(needsCompany, 5), fits(needsCompany, 4)]).toEqual([false, false]);
  });

  it('does not count the pod itself', () => {
    const nominator = new Nominator();
    nominator.set(pod('p', 5), 'n');
    expect(checkWithNominated([atMostOne], createNodeInfo('n'), pod('p', 5), nominator)).toBeUndefined();
  });
});

describe('the refusal of a node', () => {
  const soft = named('soft', () => unschedulable('a'));
  const hard = named('hard', () => unresolvable('b'));

  it.each([
    [[soft, hard], 'unresolvable', ['hard'], ['a', 'b']],
    [[hard, soft], 'unresolvable', ['hard'], ['b', 'a']],
    [[soft, named('other', () => unschedulable('c'))], 'unschedulable', ['soft', 'other'], ['a', 'c']],
  ])('has the most severe code, its plugins, and every reason: %#', (filters, code, plugins, reasons) => {
    expect(checkNode(filters, createNodeInfo('n'))).toEqual({ code, plugins, reasons });
  });
});

it('nodes are visited from an index on, once each, with wrap-around', () => {
  const nodes = ['a', 'b', 'c', 'd'].map(createNodeInfo);
  const refused = new Map<string, NodeRefusal>();
  const check = ({ name }: NodeInfo) => (name === 'a' ? { ...unschedulable('no'), plugins: ['x'] } : undefined);
  const found = feasibleNodes(nodes, 2, check, refused);
  expect([found.nodes.map(({ name }) => name), found.places, [...refused.keys()]]).toEqual([['c', 'd', 'b'], [2, 3, 1], ['a']]);
});

describe('the best node', () => {
  const picks = (totals: readonly number[]): readonly number[] => {
    const random = createRandom(3).stream('ties');
    const counts = totals.map(() => 0);
    for (let turn = 0; turn < 3_000; turn++) {
      const at = pickBest(totals, random);
      counts[at] = (counts[at] ?? 0) + 1;
    }
    return counts;
  };

  it('is one of the greatest scores, with equal probability', () => {
    const [first = 0, lesser = 0, second = 0, third = 0] = picks([7, 3, 7, 7]);
    expect(lesser).toBe(0);
    for (const count of [first, second, third]) expect(Math.abs(count - 1_000)).toBeLessThan(100);
  });

  it('is drawn from the best nodes only, not from earlier best ones', () => {
    const [before = 0, also = 0, first = 0, second = 0] = picks([1, 1, 2, 2]);
    expect([before, also]).toEqual([0, 0]);
    expect(Math.abs(first - second)).toBeLessThan(200);
  });

  it('is scored by each plugin with its weight, after normalization', () => {
    const nodes = ['a', 'b'].map(createNodeInfo);
    const of = (name: string, scores: Readonly<Record<string, number>>, weight: number, doubles: boolean) => ({
      name,
      events: {},
      weight,
      scorerFor: () => ({
        score: (node: NodeInfo) => scores[node.name] ?? 0,
        ...(doubles
          ? {
              normalise: (all: number[]) => {
                for (const at of all.keys()) all[at] = (all[at] ?? 0) * 2;
              },
            }
          : {}),
      }),
    });
    const plugins: readonly Plugin[] = [
      of('one', { a: 1, b: 2 }, 10, false),
      of('two', { a: 3 }, 100, true),
      { name: 'all', events: {}, weight: 2, scorerFor: () => 4 },
    ];
    const scores = (of: typeof plugins) => scoreNodes(of, pod('p'), {} as SchedulerView, nodes, undefined);
    expect(scores(plugins)).toEqual([618, 28]);
    expect(plugins.map((plugin) => scores([plugin]))).toEqual([
      [10, 20],
      [600, 0],
      [8, 8],
    ]);
  });
});
