/**
 * The pods that each service selects, with an entry for each, updated as pods, services and nodes change: no sync reads all pods of a
 * service. Each controller defines its own entries and their container.
 */
import { keyOf } from '../../apiserver/machinery/index.ts';
import type { Pod, Service } from '../../apiserver/kinds/index.ts';
import type { CacheView, Delta } from '../runtime/index.ts';
import { labelMatcher, type LabelMatcher } from '../../schema/values/index.ts';
import { isReady, Times } from './service-pods.ts';

export interface Backends<E, R> {
  readonly service: Service;
  readonly matches: LabelMatcher;
  /** By key of the pod; undefined: it is selected but has no entry. */
  readonly pods: Map<string, E | undefined>;
  readonly times: Times;
  readonly record: R;
}

export interface Projection<E, R> {
  record(key: string): R;
  show(pod: Pod, service: Service, cache: CacheView): E | undefined;
  put(record: R, before: E | undefined, after: E | undefined): void;
}

export type Services<E, R> = Map<string, Backends<E, R>>;

export const describeServices = <E, R>(services: Services<E, R>, describeRecord: (record: R) => unknown = (record) => record): unknown =>
  [...services].map(([key, { service, pods, times, record }]) => [key, service, pods, times.describe(), describeRecord(record)]);

/** Services of type ExternalName, and those without a selector, select no pods. */
export const selectsPods = ({ spec: { selector = {}, type } }: Service): boolean =>
  type !== 'ExternalName' && Object.keys(selector).length > 0;

function set<E, R>({ show, put }: Projection<E, R>, backends: Backends<E, R>, pod: Pod, selected: boolean, cache: CacheView): void {
  const key = keyOf(pod);
  const before = backends.pods.get(key);
  const after = selected ? show(pod, backends.service, cache) : undefined;
  if (selected) backends.pods.set(key, after);
  else backends.pods.delete(key);
  if (before !== undefined || after !== undefined) put(backends.record, before, after);
  backends.times.see(pod, selected);
}

function forget<E, R>({ put }: Projection<E, R>, services: Services<E, R>, key: string): void {
  const backends = services.get(key);
  if (backends === undefined) return;
  for (const before of backends.pods.values()) if (before !== undefined) put(backends.record, before, undefined);
  services.delete(key);
}

export function followService<E, R>(
  projection: Projection<E, R>,
  services: Services<E, R>,
  { type, key, object: service }: Delta<'Service'>,
  cache: CacheView,
): void {
  if (type === 'DELETED' || !selectsPods(service)) {
    forget(projection, services, key);
    return;
  }
  const known = services.get(key);
  if (known?.service.spec === service.spec && known.service.metadata.uid === service.metadata.uid) {
    services.set(key, { ...known, service });
    return;
  }
  const matches = labelMatcher({ matchLabels: service.spec.selector ?? {} });
  const backends: Backends<E, R> = {
    service,
    matches,
    pods: known?.pods ?? new Map<string, E | undefined>(),
    times: known?.times ?? new Times(),
    record: known?.record ?? projection.record(key),
  };
  services.set(key, backends);
  for (const pod of cache.by('Pod', 'namespace', service.metadata.namespace ?? '')) {
    const selected = matches(pod.metadata.labels);
    if (selected || backends.pods.has(keyOf(pod))) set(projection, backends, pod, selected, cache);
  }
}

export function followPod<E, R>(
  projection: Projection<E, R>,
  services: Services<E, R>,
  { type, object: pod }: Pick<Delta<'Pod'>, 'type' | 'object'>,
  cache: CacheView,
): void {
  for (const service of cache.by('Service', 'namespace', pod.metadata.namespace ?? '')) {
    const backends = services.get(keyOf(service));
    if (backends === undefined) continue;
    const selected = type !== 'DELETED' && backends.matches(pod.metadata.labels);
    if (selected || backends.pods.has(keyOf(pod))) set(projection, backends, pod, selected, cache);
  }
}

/** Updates the services with one delta of a node: a pod's entry may depend on whether its node is known. */
export function followNode<E, R>(
  projection: Projection<E, R>,
  services: Services<E, R>,
  { type, object }: Delta<'Node'>,
  cache: CacheView,
): void {
  if (type !== 'MODIFIED')
    for (const pod of cache.by('Pod', 'nodeName', object.metadata.name))
      followPod(projection, services, { type: 'MODIFIED', object: pod }, cache);
}

/** Whether a change of a pod can change endpoints. Models: v1.24 pkg/controller/util/endpoint podEndpointsChanged. */
const matters = (pod: Pod, old: Pod): boolean =>
  pod.status.podIP !== old.status.podIP ||
  isReady(pod) !== isReady(old) ||
  pod.metadata.deletionTimestamp !== old.metadata.deletionTimestamp ||
  regroups(pod, old);
const regroups = (pod: Pod, old: Pod): boolean =>
  pod.metadata.labels !== old.metadata.labels || pod.spec.hostname !== old.spec.hostname || pod.spec.subdomain !== old.spec.subdomain;

/** Services that select a pod as it is, or as it was. */
const concerned = <E, R>(services: Services<E, R>, pod: Pod, old: Pod | undefined, cache: CacheView): readonly string[] => {
  const keys: string[] = [];
  for (const service of cache.by('Service', 'namespace', pod.metadata.namespace ?? '')) {
    const matches = services.get(keyOf(service))?.matches;
    if (matches?.(pod.metadata.labels) === true || (old !== undefined && matches?.(old.metadata.labels) === true))
      keys.push(keyOf(service));
  }
  return keys;
};

/** The keys that a pod's change concerns: the services that select it now or did before. */
export function servicesOfPod<E, R>(
  services: Services<E, R>,
  { type, object: pod, old }: Delta<'Pod'>,
  cache: CacheView,
): readonly string[] | undefined {
  const before = type === 'MODIFIED' ? old : undefined;
  return before !== undefined && !matters(pod, before)
    ? undefined
    : concerned(services, pod, before !== undefined && regroups(pod, before) ? before : undefined, cache);
}

/** The keys that an added or removed node concerns: the services with pods on it. */
export function servicesOfNode<E, R>(services: Services<E, R>, { type, object }: Delta<'Node'>, cache: CacheView): readonly string[] {
  if (type === 'MODIFIED') return [];
  const keys = new Set<string>();
  for (const pod of cache.by('Pod', 'nodeName', object.metadata.name))
    for (const key of concerned(services, pod, undefined, cache)) keys.add(key);
  return [...keys];
}

/** The reasons for leaving or writing endpoints of so many pods: one sentence each. `kept`: the object that holds them. */
export const reasonsFor = (pods: number, kept: string): { readonly same: string; readonly changed: string } => {
  if (pods === 0) return { same: `it has no pods, and ${kept} show that`, changed: 'it has no pods, or its ports have changed' };
  const its = pods === 1 ? 'its pod' : `its ${pods} pods`;
  return { same: `${kept} match ${its}`, changed: `${its} or its ports have changed` };
};
