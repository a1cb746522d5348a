/**
 * The pods that a critical pod preempts on its node: as few as possible, lower quality-of-service classes first, those closest to the
 * missing amounts first. Models: v1.24 pkg/kubelet/preemption preemption.go. Simplified: the agent handles other pods while the preempted
 * ones end.
 */
import type { Pod } from '../../../../apiserver/kinds/index.ts';
import type { Names } from '../../../../apiserver/machinery/index.ts';
import { requestsOf } from '../../../shared/index.ts';
import { isCritical, type Shortage, missing } from './resources.ts';

type Wanted = readonly { readonly resource: string; readonly amount: number }[];

const requestOf = (pod: Pod, resource: string): number => {
  const { requests } = requestsOf(pod.spec);
  switch (resource) {
    case 'pods':
      return 1;
    case 'cpu':
      return requests.milliCpu;
    case 'memory':
      return requests.memory;
    case 'ephemeral-storage':
      return requests.ephemeralStorage;
    default:
      return requests.others.get(resource) ?? 0;
  }
};

const without = (wanted: Wanted, pods: readonly Pod[]): Wanted =>
  wanted
    .map(({ resource, amount }) => ({ resource, amount: pods.reduce((left, pod) => left - requestOf(pod, resource), amount) }))
    .filter(({ amount }) => amount > 0);

/** How far a pod's requests are from the missing amounts: 0 covers all of them. */
const distance = (wanted: Wanted, pod: Pod): number =>
  wanted.reduce((sum, { resource, amount }) => {
    const left = amount - requestOf(pod, resource);
    return left > 0 ? sum + (left / amount) * (left / amount) : sum;
  }, 0);

const isSmaller = (a: Pod, b: Pod): boolean => {
  for (const resource of ['memory', 'cpu']) {
    const difference = requestOf(a, resource) - requestOf(b, resource);
    if (difference !== 0) return difference < 0;
  }
  return true;
};

/** The pods among these that cover the missing amounts. */
function nearest(among: readonly Pod[], all: Wanted): readonly Pod[] {
  const left = [...among];
  const chosen: Pod[] = [];
  for (let wanted = all; wanted.length > 0;) {
    let best = 0;
    let least = Infinity;
    for (const [at, pod] of left.entries()) {
      const far = distance(wanted, pod);
      const other = left[best];
      if (far < least || (far === least && other !== undefined && isSmaller(pod, other))) [least, best] = [far, at];
    }
    const victim = left[best];
    if (victim === undefined) break;
    wanted = without(wanted, [victim]);
    chosen.push(victim);
    const last = left.pop();
    if (last !== undefined && last !== victim) left[best] = last;
  }
  return chosen;
}

const yields = (pod: Pod, to: Pod, names: Names): boolean => !isCritical(pod, names) || (to.spec.priority ?? 0) > (pod.spec.priority ?? 0);

/** The pods to end for a critical pod; a text is the reason why none are enough. `pods`: those that run on the node. */
export function victimsFor(pod: Pod, shortages: readonly Shortage[], pods: readonly Pod[], names: Names): readonly Pod[] | string {
  const wanted = shortages.map((lack) => ({ resource: lack.resource, amount: missing(lack) }));
  const may = pods.filter((other) => yields(other, pod, names));
  const of = (quality: string): readonly Pod[] => may.filter(({ status }) => status.qosClass === quality);
  const [bestEffort, burstable, guaranteed] = [of('BestEffort'), of('Burstable'), of('Guaranteed')];
  const short = without(wanted, [...bestEffort, ...burstable, ...guaranteed]);
  if (short.length > 0) {
    const list = short.map(({ resource, amount }) => `(res: ${resource}, q: ${amount}), `).join('');
    return `Unexpected error while attempting to recover from admission failure: preemption: error finding a set of pods to preempt: no set of running pods found to reclaim resources: [${list}]`;
  }
  const first = nearest(guaranteed, without(wanted, [...bestEffort, ...burstable]));
  const second = nearest(burstable, without(wanted, [...bestEffort, ...first]));
  const third = nearest(bestEffort, without(wanted, [...second, ...first]));
  return [...third, ...second, ...first];
}
