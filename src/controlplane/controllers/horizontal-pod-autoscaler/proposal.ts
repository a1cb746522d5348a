/**
 * The replicas that a usage proposes. Models: v1.24 pkg/controller/podautoscaler/replica_calculator.go, metrics/utilization.go; durations
 * are the defaults of the controller manager's flags.
 */
import type { Pod } from '../../../apiserver/kinds/index.ts';
import { milliUnitsOf, parseTime } from '../../../schema/values/index.ts';
import { conditionOf, isReady } from '../../shared/index.ts';

/** --horizontal-pod-autoscaler-tolerance. */
const TOLERANCE = 0.1;
/** --horizontal-pod-autoscaler-cpu-initialization-period. */
const STARTING_MS = 5 * 60_000;
/** --horizontal-pod-autoscaler-initial-readiness-delay. */
const FIRST_READINESS_MS = 30_000;
/** The time over which a metrics server measures, milliseconds. */
const WINDOW_MS = 15_000;

/** The pods of a target, and their usage in thousandths, by name. */
export interface Measured {
  readonly pods: readonly Pod[];
  readonly usage: ReadonlyMap<string, number>;
  /** Empty: the metric is not a resource. */
  readonly resource: string;
  /** The only container that counts; absent: all. */
  readonly container?: string;
  readonly now: number;
}

/** A number of replicas, and its inputs; a text is the reason why there is none. */
export interface Proposal {
  readonly replicas: number;
  /** Percent of the requests; absent: the target is an amount. */
  readonly utilization?: number;
  /** Average per pod, in thousandths. */
  readonly average: number;
}

/** The pods by what is known of them. `counted`: the usage of those that count, by name. */
function groupsOf({ pods, usage, resource, now }: Measured) {
  const counted = new Map(usage);
  const [unready, missing]: [string[], string[]] = [[], []];
  let ready = 0;
  for (const pod of pods) {
    const { name, deletionTimestamp } = pod.metadata;
    if (deletionTimestamp !== undefined || pod.status.phase === 'Failed') counted.delete(name);
    else if (pod.status.phase === 'Pending' || (usage.has(name) && resource === 'cpu' && isStarting(pod, now))) {
      unready.push(name);
      counted.delete(name);
    } else if (!usage.has(name)) missing.push(name);
    else ready += 1;
  }
  return { ready, unready, missing, counted };
}

/** Whether the usage of a pod is not yet representative, because it is starting. */
function isStarting({ status }: Pod, now: number): boolean {
  const condition = conditionOf(status.conditions, 'Ready');
  if (condition === undefined || typeof status.startTime !== 'string') return true;
  const startedAt = parseTime(status.startTime);
  const isUnready = condition.status === 'False';
  const since = typeof condition.lastTransitionTime === 'string' ? parseTime(condition.lastTransitionTime) : 0;
  if (startedAt + STARTING_MS > now) return isUnready || now < since + WINDOW_MS;
  return isUnready && startedAt + FIRST_READINESS_MS > since;
}

const isNear = (ratio: number): boolean => Math.abs(1 - ratio) <= TOLERANCE;

interface Ratio {
  readonly ratio: number;
  readonly utilization?: number;
  readonly average: number;
}
/** The ratio of the usage of some pods to its target; `assumed` is the usage of a pod without metrics that counts in full. */
interface Scale {
  ratioOf(counted: ReadonlyMap<string, number>): Ratio | string;
  assumed(name: string): number;
}

/** Replicas for a total amount: the number of ready pods, times the ratio of the amount to its target. */
export function forTotal(pods: readonly Pod[], current: number, value: number, target: number): number | string {
  const ratio = value / target;
  if (current === 0) return Math.ceil(ratio);
  if (isNear(ratio)) return current;
  if (pods.length === 0) return 'unable to calculate ready pods: no pods returned by selector while calculating replica count';
  return Math.ceil(ratio * pods.filter((pod) => pod.status.phase === 'Running' && isReady(pod)).length);
}

/** Replicas for an average amount, and the present average over `found` replicas. */
export function forEach(found: number, value: number, target: number): { readonly replicas: number; readonly average: number } {
  const replicas = isNear(value / (target * found)) ? found : Math.ceil(value / target);
  return { replicas, average: found === 0 ? value : Math.ceil(value / found) };
}

function propose(measured: Measured, current: number, scale: Scale): Proposal | string {
  const { ready, unready, missing, counted } = groupsOf(measured);
  if (counted.size === 0) return 'did not receive metrics for any ready pods';
  const found = scale.ratioOf(counted);
  if (typeof found === 'string') return found;
  const { ratio, ...reported } = found;
  const raises = unready.length > 0 && ratio > 1;
  if (!raises && missing.length === 0) return { replicas: isNear(ratio) ? current : Math.ceil(ratio * ready), ...reported };

  // Pods without metrics are assumed to have the usage that opposes the change.
  const all = new Map(counted);
  for (const name of missing) if (ratio !== 1) all.set(name, ratio < 1 ? scale.assumed(name) : 0);
  if (raises) for (const name of unready) all.set(name, 0);
  const again = scale.ratioOf(all);
  if (typeof again === 'string') return again;
  const turned = (ratio < 1 && again.ratio > 1) || (ratio > 1 && again.ratio < 1);
  if (isNear(again.ratio) || turned) return { replicas: current, ...reported };
  const replicas = Math.ceil(again.ratio * all.size);
  const backwards = (again.ratio < 1 && replicas > current) || (again.ratio > 1 && replicas < current);
  return { replicas: backwards ? current : replicas, ...reported };
}

const sumOf = (values: Iterable<number>): number => {
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
};

/** Replicas for an average amount per pod, in thousandths. */
export const forAmount = (measured: Measured, current: number, target: number): Proposal | string =>
  propose(measured, current, {
    ratioOf(counted) {
      const average = Math.trunc(sumOf(counted.values()) / counted.size);
      return { ratio: average / target, average };
    },
    assumed: () => target,
  });

/** Replicas for a percentage of the requests. */
export function forShare(measured: Measured, current: number, target: number): Proposal | string {
  const requests = requestsOf(measured);
  if (typeof requests === 'string') return measured.usage.size === 0 ? 'did not receive metrics for any ready pods' : requests;
  return propose(measured, current, {
    ratioOf(counted) {
      const known = [...counted].filter(([name]) => requests.has(name));
      const requested = sumOf(known.map(([name]) => requests.get(name) ?? 0));
      if (requested === 0) return 'no metrics returned matched known pods';
      const used = sumOf(known.map(([, value]) => value));
      const utilization = Math.trunc((used * 100) / requested);
      return { ratio: utilization / target, utilization, average: Math.trunc(used / known.length) };
    },
    assumed: (name) => Math.trunc(((requests.get(name) ?? 0) * Math.max(100, target)) / 100),
  });
}

function requestsOf({ pods, resource, container }: Measured): ReadonlyMap<string, number> | string {
  const requests = new Map<string, number>();
  for (const { metadata, spec } of pods) {
    let sum = 0;
    for (const { name, resources } of spec.containers ?? []) {
      if (container !== undefined && name !== container) continue;
      const request = resources?.requests?.[resource];
      if (request === undefined) return `missing request for ${resource}`;
      sum += milliUnitsOf(request);
    }
    requests.set(metadata.name, sum);
  }
  return requests;
}
