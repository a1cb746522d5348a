/** Which pods a service selects, kept up as pods and services change: no sync scans a namespace. */
import type { Pod, Service } from '../../api/index.ts';
import type { CacheView, Delta, ObserveContext, Watch } from '../../runtime/index.ts';
import { labelMatcher, type LabelMatcher } from '../../values/index.ts';

export interface Members {
  /** Keys of pods by key of service. */
  readonly pods: Map<string, Set<string>>;
  readonly matchers: Map<string, LabelMatcher>;
}

export const createMembers = (): Members => ({ pods: new Map(), matchers: new Map() });

const hasSelector = ({ spec }: Service): boolean => Object.keys(spec.selector ?? {}).length > 0;

/** Keeps memberships up with one delta of a Pod or Service. */
export function observeMembers({ type, kind, key, object, old }: Delta, { state, cache }: ObserveContext<Members>): void {
  if (kind === 'Service') followService(state, key, type === 'DELETED' ? undefined : (object as Service), old as Service | undefined, cache);
  else if (kind === 'Pod') followPod(state, key, type === 'DELETED' ? undefined : (object as Pod), object as Pod, cache);
}

function followService(state: Members, key: string, service: Service | undefined, old: Service | undefined, cache: CacheView): void {
  if (service === undefined || !hasSelector(service)) {
    state.pods.delete(key);
    state.matchers.delete(key);
    return;
  }
  if (old !== undefined && old.spec.selector === service.spec.selector && state.matchers.has(key)) return;
  const matches = labelMatcher({ matchLabels: service.spec.selector ?? {} });
  state.matchers.set(key, matches);
  state.pods.set(key, new Set(cache.list('Pod', service.metadata.namespace).filter((pod) => matches(pod.metadata.labels)).map(({ metadata }) => `${metadata.namespace ?? ''}/${metadata.name}`)));
}

function followPod(state: Members, key: string, pod: Pod | undefined, last: Pod, cache: CacheView): void {
  if (state.matchers.size === 0) return;
  for (const service of cache.by('Service', 'namespace', last.metadata.namespace ?? '')) {
    const at = `${service.metadata.namespace ?? ''}/${service.metadata.name}`;
    const members = state.pods.get(at);
    if (members === undefined) continue;
    if (pod !== undefined && state.matchers.get(at)?.(pod.metadata.labels) === true) members.add(key);
    else members.delete(key);
  }
}

/** Selected pods that exist, in order of their keys' arrival. */
export function membersOf(state: Members, key: string, cache: CacheView): readonly Pod[] {
  const pods: Pod[] = [];
  for (const pod of state.pods.get(key) ?? []) {
    const found = cache.byKey('Pod', pod);
    if (found !== undefined) pods.push(found);
  }
  return pods;
}

const readyOf = (pod: Pod): string | undefined => pod.status.conditions?.find(({ type }) => type === 'Ready')?.status;

/** Whether a change of a pod can show in the endpoints of a service. Models: endpointutil podEndpointsChanged. */
const matters = (pod: Pod, old: Pod): boolean =>
  pod.status.podIP !== old.status.podIP || readyOf(pod) !== readyOf(old) || pod.metadata.labels !== old.metadata.labels || pod.spec.nodeName !== old.spec.nodeName ||
  pod.metadata.deletionTimestamp !== old.metadata.deletionTimestamp || pod.status.phase !== old.status.phase;

/** A pod's change concerns the services that select it now or did before. */
export const podWatch: Watch<Members> = {
  kind: 'Pod',
  enqueue({ type, object, old }, { cache, state }) {
    if (state.matchers.size === 0) return undefined;
    const pod = object as Pod;
    const before = old as Pod | undefined;
    if (type === 'MODIFIED' && before !== undefined && !matters(pod, before)) return undefined;
    return cache.by('Service', 'namespace', pod.metadata.namespace ?? '').map(({ metadata }) => `${metadata.namespace ?? ''}/${metadata.name}`)
      .filter((key) => state.matchers.get(key)?.(pod.metadata.labels) === true || (before !== undefined && state.matchers.get(key)?.(before.metadata.labels) === true));
  },
};
