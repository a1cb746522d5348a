/**
 * Cases in which a run is expected to differ from the recording, or in which two recordings differ. A case passes by its deviation only if
 * it differs, and only in the listed ways; any other difference fails it.
 */
import { DAEMON_DEVIATIONS } from './daemon-deviations.ts';
import type { Deviation } from './deviation.ts';
import { ROLLOUT_DEVIATIONS } from './rollout-deviations.ts';

export const DEVIATIONS: readonly Deviation[] = [
  ...ROLLOUT_DEVIATIONS,
  ...DAEMON_DEVIATIONS,
  {
    case: 'c-job-deadline',
    reason:
      'the specification takes precedence: activeDeadlineSeconds ends the Job when it has passed; the recorded build missed it while its pods ran, and failed the Job a minute later although both had succeeded',
    differences: [
      /^final {3}(1 vs 0|0 vs 1): Job c: .* Failed=True\(DeadlineExceeded: Job was active longer than specified deadline\)/,
      /^final {3}2 vs 0: Pod of c: Succeeded /,
      /^happens 2 vs 0: Succeeded Pod of c$/,
      /^happens 0 vs 2: (x|Failed|-) Pod of c$/,
      /^time {4}Job c Failed=True\(DeadlineExceeded: .*\) #1: 61\.\d+ vs 3\.\d+$/,
      /^event {3}extra: Normal SuccessfulDelete \[Job\] Deleted pod: <pod>$/,
    ],
  },
  {
    case: 'p-node-lost',
    reason:
      'the recorded agent was killed and lost its containers: deleted pods ended without a last status, another started again; here containers survive their agent',
    differences: [/ Pod pd-0: (Pending|Running) deleting=false/, / Failed Pod of pj$/],
  },
  {
    case: 'j2-sts-pvc',
    folder: 'v1.24-gates',
    reason:
      'a race: the recorded controller lost one of two updates of a new claim to a conflict with the binder, and repeated it when the pod was ready; here owners are patched, which causes no conflict',
    differences: [
      /^event {3}missing: (Normal SuccessfulUpdate|Warning FailedUpdate) \[StatefulSet\] update Pod j2-1 /,
      /^event {3}extra: Normal SuccessfulCreate \[StatefulSet\] create Pod j2-1 in StatefulSet j2 successful$/,
    ],
  },
  {
    case: 'rs-15',
    reason:
      'a race: while a set waits for its dependents, its controller recreates its revision each time that the garbage collector has deleted it; how often depends on milliseconds, and here the pods end in one',
    differences: [/^happens 3 vs 2: [+-] Revision of rs15 rev1$/],
  },
  {
    case: 'pv-static-bind',
    reason: 'a claim that waits is bound in the next round of a loop of fifteen seconds, and the recording began in the middle of one',
    differences: [/^time {4}bound PersistentVolumeClaim cnone #1: 25\.\d+ vs 14\.\d+$/],
  },
  {
    case: 'va-attach-required-false',
    reason:
      'a race: the recorded binder lost its update of a new claim to a conflict, and repeated it in the next round of its fifteen-second loop',
    differences: [/^time {4}bound PersistentVolumeClaim v #1: 8\.\d+ vs 1\.\d+$/],
  },
];

export type Judgement =
  | { readonly verdict: 'ok' | 'differs' }
  /** All differences are expected. */
  | { readonly verdict: 'deviation'; readonly reason: string };

/** Returns the verdict on the differences of a case. */
export function verdictOf(
  folder: string,
  name: string,
  differences: readonly string[],
  deviations: readonly Deviation[] = DEVIATIONS,
): Judgement {
  if (differences.length === 0) return { verdict: 'ok' };
  const deviation = deviations.find((each) => each.case === name && (each.folder === undefined || each.folder === folder));
  const foreseen =
    deviation !== undefined && differences.every((difference) => deviation.differences.some((pattern) => pattern.test(difference)));
  return foreseen ? { verdict: 'deviation', reason: deviation.reason } : { verdict: 'differs' };
}
