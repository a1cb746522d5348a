/**
 * Cases in which a run is meant to differ from the recording, or in which two recordings differ from each other. A case passes by its
 * deviation only if it differs, and only in ways that are foreseen here; any other difference fails it like every other case.
 */

export interface Deviation {
  readonly case: string;
  /** In which recordings; absent: in all that have the case. */
  readonly folder?: 'v1.24' | 'v1.24-gates';
  readonly reason: string;
  /** Each difference must match one of these. */
  readonly differences: readonly RegExp[];
}

export const DEVIATIONS: readonly Deviation[] = [
  {
    case: 'p-node-lost',
    reason: 'the recorded agent was killed and forgot its containers: pods that had to go went without a last status, another began anew; here containers outlive their agent',
    differences: [/ Pod pd-0: (Pending|Running) deleting=false/, / Failed Pod of pj$/],
  },
];

export type Judgement =
  | { readonly verdict: 'ok' | 'differs' }
  /** All differences are foreseen. */
  | { readonly verdict: 'deviation'; readonly reason: string };

/** Judges the differences of a case. */
export function judge(folder: string, name: string, differences: readonly string[], deviations: readonly Deviation[] = DEVIATIONS): Judgement {
  if (differences.length === 0) return { verdict: 'ok' };
  const deviation = deviations.find((each) => each.case === name && (each.folder === undefined || each.folder === folder));
  const foreseen = deviation !== undefined && differences.every((difference) => deviation.differences.some((pattern) => pattern.test(difference)));
  return foreseen ? { verdict: 'deviation', reason: deviation.reason } : { verdict: 'differs' };
}
