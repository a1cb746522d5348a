/**
 * An amount as a function of time. Times are milliseconds since the start of the containers or of the run; amounts are whole units of their
 * resource. Shared work is divided equally among the ready pods.
 */
import type { Pod } from '../../apiserver/kinds/index.ts';
import { labelMatcher } from '../../schema/values/index.ts';

export type Curve =
  | { readonly shape: 'constant'; readonly is: number }
  /** From one amount to another in that time; constant after it. */
  | { readonly shape: 'ramp'; readonly from: number; readonly to: number; readonly overMs: number }
  /** Each amount from its instant on, in order; zero before the first. */
  | { readonly shape: 'steps'; readonly steps: readonly { readonly atMs: number; readonly is: number }[] }
  /** From the low amount up to the high one and down again, linearly and repeatedly. */
  | { readonly shape: 'periodic'; readonly low: number; readonly high: number; readonly periodMs: number };

const between = (from: number, to: number, passed: number, over: number): number => Math.trunc(from + ((to - from) * passed) / over);

/** The amount at a time; zero before time zero. */
export function valueAt(curve: Curve, ms: number): number {
  if (ms < 0) return 0;
  switch (curve.shape) {
    case 'constant':
      return curve.is;
    case 'ramp':
      return ms >= curve.overMs ? curve.to : between(curve.from, curve.to, ms, curve.overMs);
    case 'steps':
      return curve.steps.findLast(({ atMs }) => atMs <= ms)?.is ?? 0;
    case 'periodic': {
      const half = curve.periodMs / 2;
      const into = ms % curve.periodMs;
      return into <= half ? between(curve.low, curve.high, into, half) : between(curve.high, curve.low, into - half, half);
    }
  }
}

/** The first time at which the amount exceeds a limit; undefined: never. */
export function firstAbove(curve: Curve, limit: number): number | undefined {
  if (valueAt(curve, 0) > limit) return 0;
  switch (curve.shape) {
    case 'constant':
      return undefined;
    case 'steps':
      return curve.steps.find(({ is }) => is > limit)?.atMs;
    case 'ramp':
      return climbs(curve, curve.from, curve.to, curve.overMs, limit);
    case 'periodic':
      return climbs(curve, curve.low, curve.high, curve.periodMs / 2, limit);
  }
}

/** The first whole millisecond at which a line that starts at time zero exceeds the limit. */
function climbs(curve: Curve, from: number, to: number, over: number, limit: number): number | undefined {
  if (to <= limit) return undefined;
  let at = Math.max(0, Math.floor(((limit - from) * over) / (to - from)));
  while (valueAt(curve, at) <= limit) at++;
  return at;
}

/** The work of a selector's pods; without a selector all pods, without a namespace those of all namespaces. */
interface Work {
  readonly selector?: Parameters<typeof labelMatcher>[0] | undefined;
  readonly namespace?: string | undefined;
  readonly amount: number;
}

/** The key of a pod: `namespace/name`. */
export const keyOfPod = ({ metadata: { namespace = '', name } }: Pod): string => `${namespace}/${name}`;

/** Whether a pod receives work: it is ready and is not being deleted. */
const isServing = ({ metadata, status }: Pod): boolean =>
  metadata.deletionTimestamp === undefined && status.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') === true;

/** The share of each pod, in whole units, by `namespace/name`; pods without a share are absent. */
export function equalParts(works: readonly Work[], everyPod: () => Iterable<Pod>): ReadonlyMap<string, number> {
  const parts = new Map<string, number>();
  if (works.length === 0) return parts;
  const serving = [...everyPod()].filter(isServing);
  for (const { amount, selector, namespace } of works) {
    const matches = selector === undefined ? () => true : labelMatcher(selector);
    const hands = serving.filter(
      ({ metadata }) => (namespace === undefined || namespace === metadata.namespace) && matches(metadata.labels ?? {}),
    );
    for (const pod of hands) {
      const key = keyOfPod(pod);
      parts.set(key, (parts.get(key) ?? 0) + Math.trunc(amount / hands.length));
    }
  }
  return parts;
}
