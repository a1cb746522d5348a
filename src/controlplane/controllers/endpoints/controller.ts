/**
 * Maintains the Endpoints object of every service with a selector. Models: v1.24 pkg/controller/endpoint. Simplified: one address family.
 */
import {
  followPod,
  followService,
  selectsPods,
  servicesOfPod,
  type Projection,
  type Services,
  isHeadless,
  leaderAnnotation,
  present,
  sameLabels,
  describeServices,
  reasonsFor,
} from '../../shared/index.ts';
import { type Names, splitKey, keyOf } from '../../../apiserver/machinery/index.ts';
import type { Endpoints, Service } from '../../../apiserver/kinds/index.ts';
import { create, defineController, idle, observing, watch, type EventText, type Outcome } from '../../runtime/index.ts';
import { formatTime, parseTime } from '../../../schema/values/index.ts';
import { entryOf, putEntry, sameSubsets, subsetsOf, type Entry, type Groups } from './subsets.ts';

interface State {
  readonly services: Services<Entry, Groups>;
}
/** Which changes of pods earlier syncs have reported. */
interface Memory {
  readonly reported: number;
}

const entries: Projection<Entry, Groups> = { record: () => new Map(), show: entryOf, put: putEntry };

const failing = (about: EventText['about'], what: 'Create' | 'Update', { metadata: { namespace = '', name } }: Service): EventText => ({
  about,
  type: 'Warning',
  reason: `FailedTo${what}Endpoint`,
  message:
    what === 'Create'
      ? `Failed to create endpoint for service ${namespace}/${name}: {error}`
      : `Failed to update endpoint ${namespace}/${name}: {error}`,
});

/** Annotations of the object: the time of the oldest change in it, and whether it is truncated. */
function annotationsOf(
  current: Endpoints | undefined,
  names: Names,
  changedAt: number | undefined,
  truncated: boolean,
): Readonly<Record<string, string>> {
  const trigger = names.key('endpoints', 'last-change-trigger-time');
  const capacity = names.key('endpoints', 'over-capacity');
  const { [trigger]: _, [capacity]: __, ...others } = current?.metadata.annotations ?? {};
  return {
    ...others,
    ...(changedAt === undefined ? {} : { [trigger]: formatTime(changedAt) }),
    ...(truncated ? { [capacity]: 'truncated' } : {}),
  };
}

export const endpointsController = defineController<'Service', Memory, State>({
  name: 'endpoints',
  component: 'endpoint-controller',
  reconciles: 'Service',
  coalesces: true,
  writes: ['Endpoints'],
  models: 'v1.24 pkg/controller/endpoint. Simplified: one address family.',
  watches: [
    watch('Pod', (delta, { cache, state }) => servicesOfPod(state.services, delta, cache), { predicate: { whileThereAre: 'Service' } }),
    watch('Endpoints', ({ type, key }) => (type === 'DELETED' ? key : undefined)),
  ],
  start: () => ({ services: new Map() }),
  describe: ({ services }) => describeServices(services),
  observe: observing({
    Service: (delta, { state, cache }) => followService(entries, state.services, delta, cache),
    Pod: (delta, { state, cache }) => followPod(entries, state.services, delta, cache),
  }),
  // Objects whose service was deleted while no controller ran; locks of old elections have no service.
  startKeys: ({ cache, names }) =>
    cache
      .list('Endpoints')
      .filter(
        ({ metadata: { namespace, name, annotations } }) =>
          cache.get('Service', namespace, name) === undefined && annotations?.[leaderAnnotation(names)] === undefined,
      )
      .map(keyOf),
  reconcile({ self: service, key, cache, names, state, memory }): Outcome<Memory> {
    const backends = state.services.get(key);
    if (!selectsPods(service) || backends === undefined)
      return idle('it has no selector: its Endpoints are not managed by this controller');
    const { namespace, name } = service.metadata;
    const current = cache.get('Endpoints', namespace, name);
    const { subsets, truncated } = subsetsOf(backends.record);
    const labels = { ...service.metadata.labels, ...(isHeadless(service) ? { [names.key('service', 'headless')]: '' } : {}) };
    const reported: Memory = { reported: backends.times.version };
    const changedAt = memory === undefined ? parseTime(service.metadata.creationTimestamp) : backends.times.since(memory.reported);
    const reasons = reasonsFor(backends.pods.size, 'its endpoints');
    const isSame = current !== undefined && sameSubsets(current.subsets, subsets) && sameLabels(current.metadata.labels, labels);
    if (isSame && truncated === (current.metadata.annotations?.[names.key('endpoints', 'over-capacity')] !== undefined))
      return { memory: reported, ...idle(reasons.same) };
    const annotations = annotationsOf(current, names, changedAt, truncated);
    const why = reasons.changed;
    if (current === undefined) {
      const made = {
        apiVersion: 'v1',
        kind: 'Endpoints',
        metadata: present({ name, namespace, labels, annotations }),
        subsets,
      };
      return { why, memory: reported, writes: [create(made, { tolerate: ['Forbidden'], otherwise: failing(made, 'Create', service) })] };
    }
    const next: Endpoints = { ...current, metadata: { ...current.metadata, labels, annotations }, subsets };
    return { why, memory: reported, writes: [{ op: 'update', object: next, otherwise: failing(next, 'Update', service) }] };
  },
  // The object is deleted without reading the cache, as in upstream: a new object may not be visible yet.
  reconcileAbsent({ key }) {
    const { namespace, name } = splitKey(key);
    return {
      why: 'its Service is gone',
      writes: [{ op: 'delete', kind: 'Endpoints', ...(namespace === undefined ? {} : { namespace }), name, tolerate: ['NotFound'] }],
      memory: null,
    };
  },
});
