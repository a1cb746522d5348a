/** When the oldest change happened that an update of endpoints tells of. Models: v1.24 pkg/controller/util/endpoint trigger_time_tracker.go. */
import type { Pod, Service } from '../../api/index.ts';
import { formatTime, parseTime } from '../../values/index.ts';
import type { Members } from './members.ts';

/** The time for the annotation, or undefined when nothing new is told. Remembers what it has told. */
export function triggerTime(state: Members, key: string, service: Service, pods: readonly Pod[]): string | undefined {
  const known = state.triggers.get(key) ?? new Map<string, number>();
  let oldest = Infinity;
  const see = (name: string, at: number): void => {
    if (at > (known.get(name) ?? -1)) oldest = Math.min(oldest, at);
    known.set(name, Math.max(at, known.get(name) ?? -1));
  };
  for (const pod of pods) {
    const ready = pod.status.conditions?.find(({ type, status }) => type === 'Ready' && status === 'True');
    if (ready?.lastTransitionTime != null) see(`pod/${pod.metadata.name}`, parseTime(ready.lastTransitionTime));
  }
  see('service', parseTime(service.metadata.creationTimestamp));
  state.triggers.set(key, known);
  return oldest === Infinity ? undefined : formatTime(oldest);
}
