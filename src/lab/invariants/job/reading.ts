/** How invariants read Jobs and their pods, and the form of those that compare two revisions of a Job. */
import type { Names } from '../../../apiserver/machinery/index.ts';
import type { Job, Pod } from '../../../apiserver/kinds/index.ts';
import { type Answer, type Invariant, nothing, ofChanges } from '../invariant.ts';
import { controllerUid, nameOf } from '../forms.ts';

/** Whether the Job's pods are counted by finalizers. */
export const isTracked = (job: Job, names: Names): boolean => job.metadata.annotations?.[names.key('batch', 'job-tracking')] !== undefined;
export const isHeld = (pod: Pod, names: Names): boolean => pod.metadata.finalizers?.includes(names.key('batch', 'job-tracking')) ?? false;

const finished = ({ status: { conditions = [] } }: Job) =>
  conditions.find(({ type, status }) => (type === 'Complete' || type === 'Failed') && status === 'True');
export const finishedBy = (job: Job): string | undefined => finished(job)?.type;
export const finishedSince = (job: Job): string | undefined => finished(job)?.lastTransitionTime ?? undefined;

export const jobUidOf = (pod: Pod): string | undefined => controllerUid('Job', pod);
export const indexOf = (pod: Pod, names: Names): string | undefined =>
  pod.metadata.annotations?.[names.key('batch', 'job-completion-index')];

export const betweenRevisions = (name: string, description: string, step: (before: Job, after: Job, names: Names) => Answer): Invariant =>
  ofChanges(
    name,
    description,
    { kinds: ['Job'], about: (job) => `Job ${nameOf(job)}: ` },
    nothing,
    ({ type, previous, object }, { names }) => type === 'MODIFIED' && previous !== undefined && step(previous, object, names),
  );

/** The completed indexes of a Job, sorted; adjacent ones are joined. */
export type Intervals = readonly (readonly [first: number, last: number])[];

export function intervalsOf(text: string | undefined): Intervals {
  const joined: [number, number][] = [];
  for (const part of (text ?? '').split(',')) {
    if (part === '') continue;
    const [first = 0, last = first] = part.split('-').map(Number);
    const previous = joined.at(-1);
    if (previous !== undefined && first <= previous[1] + 1) previous[1] = Math.max(previous[1], last);
    else joined.push([first, last]);
  }
  return joined;
}

export function covers(outer: Intervals, inner: Intervals): boolean {
  let at = 0;
  return inner.every(([first, last]) => {
    while ((outer[at]?.[1] ?? Infinity) < first) at++;
    const here = outer[at];
    return here !== undefined && here[0] <= first && last <= here[1];
  });
}
