/** The pods that a critical pod preempts: as few as possible, of lower classes first, and no larger than needed. */
import { describe, expect, it } from 'vitest';
import { namesFor } from '../../../../../src/apiserver/machinery/index.ts';
import type { Pod } from '../../../../../src/apiserver/kinds/index.ts';
import { victimsFor } from '../../../../../src/controlplane/agents/node/admission/preempting.ts';
import { barePod } from '../../../../support/objects.ts';

const names = namesFor('k8s.io');
const podOf = (name: string, requests: Readonly<Record<string, string>>, qosClass = 'Burstable', priority = 0): Pod =>
  barePod(name, 'Running', { spec: { priority, containers: [{ name: 'c', resources: { requests } }] }, status: { qosClass } });
const CRITICAL = podOf('vital', {}, 'Burstable', 2_000_000_001);

/** The names of the preempted pods, or why there are none, where a node lacks these amounts; 7 of each resource are free. */
function preempted(lacking: Readonly<Record<string, number>>, ...pods: readonly Pod[]): readonly string[] | string {
  const shortages = Object.entries(lacking).map(([resource, amount]) => ({ resource, requested: amount + 7, used: 93, capacity: 100 }));
  const victims = victimsFor(CRITICAL, shortages, pods, names);
  return typeof victims === 'string' ? victims : victims.map(({ metadata }) => metadata.name);
}

describe('of pods of one class', () => {
  it('the smallest is preempted that covers what is missing', () => {
    const three = [podOf('half', { cpu: '500m' }), podOf('two', { cpu: '2' }), podOf('one', { cpu: '1' })];
    expect([499, 500, 501, 1_000, 1_001, 2_000].map((cpu) => preempted({ cpu }, ...three))).toEqual([
      ['half'],
      ['half'],
      ['one'],
      ['one'],
      ['two'],
      ['two'],
    ]);
  });

  it('the nearest are preempted one after the other, where one is not enough', () => {
    const pods = [podOf('x', { cpu: '1' }), podOf('y', { cpu: '1' }), podOf('z', { cpu: '1500m' })];
    expect(preempted({ cpu: 2_000 }, ...pods)).toEqual(['z', 'y']);
    expect(preempted({ cpu: 3_000 }, ...pods)).toEqual(['z', 'y', 'x']);
  });

  it('nearness counts every resource, and of equally near ones memory before CPU', () => {
    const [most, even] = [podOf('most', { cpu: '900m', memory: '100' }), podOf('even', { cpu: '600m', memory: '600' })];
    const rest = podOf('rest', { cpu: '400m', memory: '900' });
    expect(preempted({ cpu: 1_000, memory: 1_000 }, most, even, rest)).toEqual(['even', 'rest']);
    const slim = podOf('slim', { cpu: '2', memory: '10' });
    const lean = podOf('lean', { cpu: '1', memory: '20' });
    expect([preempted({ pods: 1 }, slim, lean), preempted({ pods: 1 }, lean, slim)]).toEqual([['slim'], ['slim']]);
    const same = podOf('same', { cpu: '1', memory: '10' });
    expect([preempted({ pods: 1 }, slim, same), preempted({ pods: 1 }, same, slim)]).toEqual([['same'], ['same']]);
  });

  it.each(['ephemeral-storage', 'example.com/gpu'])('%s counts as requested', (resource) => {
    const pods = [podOf('none', {}), podOf('some', { [resource]: '3' }), podOf('more', { [resource]: '5' })];
    expect([4, 8].map((amount) => preempted({ [resource]: amount }, ...pods))).toEqual([['more'], ['more', 'some']]);
  });
});

describe('of pods of several classes', () => {
  const small = podOf('small', { cpu: '1' }, 'Guaranteed');
  const large = podOf('large', { cpu: '4' }, 'Guaranteed');

  it('guaranteed ones go only for what the others cannot cover, and the others for what is left', () => {
    const [one, half] = [podOf('one', { cpu: '1' }), podOf('half', { cpu: '500m' })];
    expect(preempted({ cpu: 1_500 }, small, large, one, half)).toEqual(['one', 'half']);
    expect(preempted({ cpu: 2_000 }, small, large, one, half)).toEqual(['one', 'small']);
    expect(preempted({ cpu: 3_000 }, small, large, one, half)).toEqual(['large']);
  });

  it('best-effort ones go first', () => {
    const best = podOf('best', {}, 'BestEffort');
    const burst = podOf('burst', { cpu: '1' });
    expect(preempted({ pods: 1 }, small, burst, best)).toEqual(['best']);
    expect(preempted({ pods: 2 }, small, burst, best)).toEqual(['best', 'burst']);
    expect(preempted({ pods: 3 }, small, burst, best)).toEqual(['best', 'burst', 'small']);
    expect(preempted({ pods: 1, cpu: 1_000 }, small, burst, best)).toEqual(['burst']);
  });
});

describe('pods that may not be preempted', () => {
  const NO_SET =
    'Unexpected error while attempting to recover from admission failure: preemption: error finding a set of pods to preempt: no set of running pods found to reclaim resources: ';

  it('are critical ones of at least the same priority', () => {
    const of = (priority: number) => preempted({ cpu: 1_000 }, podOf('p', { cpu: '1' }, 'Burstable', priority));
    expect([1_999_999_999, 2_000_000_000].map(of)).toEqual([['p'], ['p']]);
    expect([2_000_000_001, 2_000_001_000].map(of)).toEqual([`${NO_SET}[(res: cpu, q: 1000), ]`, `${NO_SET}[(res: cpu, q: 1000), ]`]);
  });

  it('leave amounts that are named', () => {
    expect(preempted({ pods: 2, cpu: 1_500, memory: 5 }, podOf('p', { cpu: '1', memory: '5' }))).toBe(
      `${NO_SET}[(res: pods, q: 1), (res: cpu, q: 500), ]`,
    );
  });
});
