/** What the containers of a pod will do: its behaviours by selector, overridden by annotations on the pod. Times in milliseconds. */
import { SIM, type Names, type Pod } from '../../api/index.ts';
import { labelMatcher } from '../../values/index.ts';
import type { PodBehavior } from '../specs.ts';

export interface Behavior {
  readonly startDelayMs: number;
  readonly readyDelayMs: number;
  /** From running to exit; undefined: for ever. */
  readonly runForMs: number | undefined;
  /** Exit codes by attempt; the last repeats. */
  readonly exitCodes: readonly number[];
  /** From the kill signal to the container's death. */
  readonly terminationDelayMs: number;
  readonly terminationExitCode: number;
}

const SUCCESS: readonly number[] = [0];

const seconds = (text: string | undefined): number | undefined => {
  if (text === undefined) return undefined;
  const value = Number(text);
  return Number.isFinite(value) && value >= 0 ? Math.round(value * 1000) : undefined;
};
const codes = (text: string | undefined): readonly number[] | undefined => {
  if (text === undefined) return undefined;
  const list = text.split(',').map((code) => Number.parseInt(code.trim(), 10)).filter((code) => Number.isInteger(code));
  return list.length > 0 ? list : undefined;
};

/** The completion index of an Indexed Job's pod, as text. */
export const completionIndexOf = (pod: Pod, names: Names): string | undefined => pod.metadata.annotations?.[names.key('batch', 'job-completion-index')];

/** Finds behaviours; selectors are compiled once. */
export function behaviorsBy(behaviors: readonly PodBehavior[], names: Names): (pod: Pod) => Behavior {
  const compiled = behaviors.map((behavior) => ({
    behavior, matches: behavior.selector === undefined ? () => true : labelMatcher(behavior.selector),
  }));
  return (pod) => {
    const { labels = {}, annotations = {}, namespace } = pod.metadata;
    const found = compiled.find(({ behavior, matches }) => (behavior.namespace === undefined || behavior.namespace === namespace) && matches(labels))?.behavior;
    const index = completionIndexOf(pod, names);
    const said = (name: string): string | undefined => annotations[`${SIM}/${name}`];
    return {
      startDelayMs: seconds(said('start-delay')) ?? found?.startDelayMs ?? 0,
      readyDelayMs: seconds(said('ready-delay')) ?? found?.readyDelayMs ?? 0,
      runForMs: seconds(said('exit-after')) ?? found?.runForMs,
      exitCodes: (index === undefined ? undefined : codes(said(`exit-codes-${index}`)) ?? found?.exitCodesByIndex?.[index]) ?? codes(said('exit-code')) ?? found?.exitCodes ?? SUCCESS,
      terminationDelayMs: seconds(said('term-delay')) ?? found?.terminationDelayMs ?? 0,
      terminationExitCode: codes(said('term-code'))?.[0] ?? found?.terminationExitCode ?? 143,
    };
  };
}
