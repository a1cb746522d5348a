/** When the oldest change happened that an update of endpoints tells of. Models: v1.24 pkg/controller/util/endpoint trigger_time_tracker.go. */
import type { Pod, Service } from '../../api/index.ts';
import { formatTime, parseTime } from '../../values/index.ts';

/** Per pod, and for the service, the newest change already told of. */
export type Told = Readonly<Record<string, number>>;

/** The time for the annotation, or undefined when nothing new is told; and what has been told with it. */
export function triggerTime(told: Told | undefined, service: Service, pods: readonly Pod[]): { readonly changedAt: string | undefined; readonly told: Told } {
  const next: Record<string, number> = {};
  let oldest = Infinity;
  const see = (name: string, at: number): void => {
    const before = told?.[name] ?? -1;
    if (at > before) oldest = Math.min(oldest, at);
    next[name] = Math.max(at, before);
  };
  for (const pod of pods) {
    const ready = pod.status.conditions?.find(({ type, status }) => type === 'Ready' && status === 'True');
    const since = ready?.lastTransitionTime ?? undefined;
    if (since !== undefined) see(`pod/${pod.metadata.name}`, parseTime(since));
    else if (told?.[`pod/${pod.metadata.name}`] !== undefined) see(`pod/${pod.metadata.name}`, -1);
  }
  see('service', parseTime(service.metadata.creationTimestamp));
  return { changedAt: oldest === Infinity ? undefined : formatTime(oldest), told: next };
}
