/** The behaviour of a pod's containers: by selector, overridden by annotations on the pod. Times in milliseconds. */
import { type Names, SIM } from '../../../apiserver/machinery/index.ts';
import type { Pod } from '../../../apiserver/kinds/index.ts';
import { selectionOf } from '../../shared/index.ts';
import type { LogSpec, PodBehavior } from '../specs.ts';

export interface Behavior {
  readonly startDelayMs: number;
  readonly readyDelayMs: number;
  /** From the start to the exit; undefined: no exit. */
  readonly runForMs: number | undefined;
  /** Exit codes by attempt; the last one repeats. */
  readonly exitCodes: readonly number[];
  /** From the termination signal to the exit. */
  readonly terminationDelayMs: number;
  readonly terminationExitCode: number;
  /** From the start until a container needs more memory than its limit. */
  readonly oomAfterMs?: number;
  /** What its containers print; absent: what they do, in words. */
  readonly log?: readonly LogSpec[];
}

const SUCCESS: readonly number[] = [0];

const seconds = (text: string | undefined): number | undefined => {
  if (text === undefined) return undefined;
  const value = Number(text);
  return Number.isFinite(value) && value >= 0 ? Math.round(value * 1000) : undefined;
};
const codes = (text: string | undefined): readonly number[] | undefined => {
  if (text === undefined) return undefined;
  const list = text
    .split(',')
    .map((code) => Number.parseInt(code.trim(), 10))
    .filter((code) => Number.isInteger(code));
  return list.length > 0 ? list : undefined;
};

export const completionIndexOf = (pod: Pod, names: Names): string | undefined =>
  pod.metadata.annotations?.[names.key('batch', 'job-completion-index')];

/** Returns a function that finds the behaviour of a pod; selectors are compiled once. */
export function behaviorsBy(behaviors: readonly PodBehavior[], names: Names): (pod: Pod) => Behavior {
  const find = selectionOf(behaviors);
  const byOwner = behaviors.some(({ owner }) => owner !== undefined);
  /** Cached behaviours of pods without annotations, by their shared labels. */
  const plain = new WeakMap<Labels, { readonly namespace: string | undefined; readonly behavior: Behavior }>();
  return (pod) => {
    const { labels, annotations, namespace } = pod.metadata;
    if (annotations !== undefined || labels === undefined || byOwner)
      return behaviorOf(find(pod), annotations ?? NONE, completionIndexOf(pod, names));
    const known = plain.get(labels);
    if (known !== undefined && known.namespace === namespace) return known.behavior;
    const behavior = behaviorOf(find(pod), NONE, undefined);
    plain.set(labels, { namespace, behavior });
    return behavior;
  };
}

type Labels = Readonly<Record<string, string>>;
const NONE: Labels = Object.freeze({});

const logOf = (found: PodBehavior | undefined, text: string | undefined): Pick<Behavior, 'log'> => {
  const log = text === undefined ? found?.log : text.split('\n');
  return log === undefined ? NO_LOG : { log };
};
const NO_LOG: Pick<Behavior, 'log'> = {};

const behaviorOf = (found: PodBehavior | undefined, annotated: Labels, index: string | undefined): Behavior => ({
  startDelayMs: seconds(annotated[`${SIM}/start-delay`]) ?? found?.startDelayMs ?? 0,
  readyDelayMs: seconds(annotated[`${SIM}/ready-delay`]) ?? found?.readyDelayMs ?? 0,
  runForMs: seconds(annotated[`${SIM}/exit-after`]) ?? found?.runForMs,
  exitCodes:
    (index === undefined ? undefined : (codes(annotated[`${SIM}/exit-codes-${index}`]) ?? found?.exitCodesByIndex?.[index])) ??
    codes(annotated[`${SIM}/exit-code`]) ??
    found?.exitCodes ??
    SUCCESS,
  terminationDelayMs: seconds(annotated[`${SIM}/term-delay`]) ?? found?.terminationDelayMs ?? 0,
  terminationExitCode: codes(annotated[`${SIM}/term-code`])?.[0] ?? found?.terminationExitCode ?? 143,
  ...logOf(found, annotated[`${SIM}/log`]),
});
