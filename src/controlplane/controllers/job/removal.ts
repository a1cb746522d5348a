/** The order in which surplus active pods are deleted. Models: v1.24 pkg/controller/job activePodsForRemoval, pkg/controller ActivePods. */
import type { Job, Pod } from '../../../apiserver/kinds/index.ts';
import { parseTime } from '../../../schema/values/index.ts';
import { completionIndexOf, isReady, type JobPods } from './pods.ts';

const PHASES: Readonly<Record<string, number>> = { Pending: 0, Unknown: 1, Running: 2 };

const readySince = (pod: Pod): number => {
  const since = pod.status.conditions?.find(({ type, status }) => type === 'Ready' && status === 'True')?.lastTransitionTime;
  return since === undefined || since === null ? 0 : parseTime(since);
};
const mostRestarts = (pod: Pod): number =>
  (pod.status.containerStatuses ?? []).reduce((most, { restartCount }) => Math.max(most, restartCount), 0);

/** Earlier stages first: unscheduled, pending, not ready; then the most recently ready, the most restarted, the youngest. */
function byStage(a: Pod, b: Pod): number {
  const scheduled = Number((a.spec.nodeName ?? '') !== '') - Number((b.spec.nodeName ?? '') !== '');
  if (scheduled !== 0) return scheduled;
  const phase = (PHASES[a.status.phase] ?? 0) - (PHASES[b.status.phase] ?? 0);
  if (phase !== 0) return phase;
  const ready = Number(isReady(a)) - Number(isReady(b));
  if (ready !== 0) return ready;
  if (isReady(a)) {
    const later = readySince(b) - readySince(a);
    if (later !== 0) return later;
  }
  const restarts = mostRestarts(b) - mostRestarts(a);
  if (restarts !== 0) return restarts;
  return parseTime(b.metadata.creationTimestamp) - parseTime(a.metadata.creationTimestamp);
}

/** Pods without a valid index, and all but the most advanced pod of each index. */
function surplusOfIndexed(pods: Iterable<Pod>, completions: number): { readonly surplus: readonly Pod[]; readonly left: readonly Pod[] } {
  const byIndex = new Map<number, Pod[]>();
  const surplus: Pod[] = [];
  const left: Pod[] = [];
  for (const pod of pods) {
    const index = completionIndexOf(pod);
    if (index === undefined || index >= completions) {
      surplus.push(pod);
      continue;
    }
    const same = byIndex.get(index);
    if (same === undefined) byIndex.set(index, [pod]);
    else same.push(pod);
  }
  for (const same of byIndex.values()) {
    const keep = same.sort(byStage).pop();
    surplus.push(...same);
    if (keep !== undefined) left.push(keep);
  }
  return { surplus, left };
}

/** At least so many active pods, and all that an Indexed Job cannot use. The pods are visited only if one must be deleted. */
export function podsToRemove(job: Job, { active, activeIndexes }: JobPods, atLeast: number): readonly Pod[] {
  const completions = job.spec.completions ?? 0;
  const indexed = job.spec.completionMode === 'Indexed';
  if (atLeast <= 0 && (!indexed || activeIndexes.isClean(completions))) return [];
  const { surplus, left } = indexed ? surplusOfIndexed(active.values(), completions) : { surplus: [], left: [...active.values()] };
  if (surplus.length >= atLeast) return surplus;
  return [...surplus, ...left.toSorted(byStage).slice(0, atLeast - surplus.length)];
}
