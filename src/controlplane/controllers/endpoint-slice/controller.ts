/** Keeps the EndpointSlices of every service with a selector. Models: v1.24 pkg/controller/endpointslice. */
import {
  followNode,
  followPod,
  followService,
  selectsPods,
  servicesOfNode,
  servicesOfPod,
  type Projection,
  type Services,
  hostnameIn,
  isHeadless,
  isReady,
  podReference,
  sameLabels,
  portsText,
  type Endpoint,
} from '../../shared/index.ts';
import { type FeatureGates, type Names, splitKey, storeKey, keyOf } from '../../../apiserver/vocabulary/index.ts';
import type { EndpointSlice, Node, Pod, Service } from '../../../apiserver/kinds/index.ts';
import {
  create,
  defineController,
  idle,
  observing,
  remove,
  watch,
  type Delta,
  type EventText,
  type ObserveContext,
  type Outcome,
  type Write,
} from '../../runtime/index.ts';
import { formatTime, parseTime } from '../../../grammar/values/index.ts';
import { hintsByZone, isOverloaded, wantsHints, withHints, withoutHints } from './hints.ts';
import { createPlacement, entryOf, misplaced, putEntry, putSlice, type Entry, type Placement } from './placement.ts';
import { rearrange, type SliceChanges } from './slices.ts';
import { createZones, type Zones } from './zones.ts';

interface State {
  readonly services: Services<Entry, Placement>;
  readonly placements: Map<string, Placement>;
  /** How pods show in slices. */
  readonly entries: Projection<Entry, Placement>;
  readonly zones: Zones;
  /** Services whose slices have hints. */
  readonly hinted: Set<string>;
}
/** How much of what happened to its pods has been told. */
interface Memory {
  readonly told: number;
}

const managerOf = (names: Names): string => `endpointslice-controller.${names.domain}`;

/** The service a slice of ours belongs to, by key. */
const serviceOf = (
  {
    metadata: { namespace, labels },
  }: { readonly metadata: { readonly namespace?: string; readonly labels?: Readonly<Record<string, string>> } },
  names: Names,
): string | undefined => {
  const name = labels?.[names.key('', 'service-name')];
  return name === undefined || labels?.[names.key('endpointslice', 'managed-by')] !== managerOf(names)
    ? undefined
    : storeKey(namespace, name);
};

/** Gates that are on unless somebody switches them off. */
const isOff = (gates: FeatureGates, gate: string): boolean => gates[gate] === false;

const showingFor =
  (terminating: boolean) =>
  (pod: Pod, service: Service, zone: string | undefined): Endpoint => {
    const serving = isReady(pod);
    const isTerminating = pod.metadata.deletionTimestamp !== undefined;
    const hostname = hostnameIn(pod, service);
    return {
      addresses: [pod.status.podIP ?? ''],
      conditions: {
        ready: service.spec.publishNotReadyAddresses === true || (serving && !isTerminating),
        ...(terminating ? { serving, terminating: isTerminating } : {}),
      },
      ...(hostname === undefined ? {} : { hostname }),
      targetRef: podReference(pod),
      ...(pod.spec.nodeName === undefined ? {} : { nodeName: pod.spec.nodeName }),
      ...(zone === undefined ? {} : { zone }),
    };
  };

const placementOf = (placements: Map<string, Placement>, key: string): Placement => {
  let placement = placements.get(key);
  if (placement === undefined) placements.set(key, (placement = createPlacement()));
  return placement;
};

/** Keeps track of slices: what they hold, and whose they are. */
function followSlice({ placements, hinted }: State, { type, key, object, old }: Delta<'EndpointSlice'>, names: Names): void {
  const before = old === undefined ? undefined : serviceOf(old, names);
  const after = type === 'DELETED' || object.metadata.deletionTimestamp !== undefined ? undefined : serviceOf(object, names);
  if (before !== undefined && before !== after) putSlice(placementOf(placements, before), key, undefined);
  if (after !== undefined) putSlice(placementOf(placements, after), key, object);
  for (const service of [before, after]) {
    if (service === undefined) continue;
    if (placementOf(placements, service).hinted.size > 0) hinted.add(service);
    else hinted.delete(service);
  }
}

const readiness = (node: Node | undefined): string | undefined => node?.status.conditions?.find(({ type }) => type === 'Ready')?.status;

/** Services whose hints leave a zone with too little, now that a node has come, gone or changed its state. */
function overloaded(
  { type, object, old }: Delta<'Node'>,
  { state: { zones, hinted, placements } }: ObserveContext<State>,
): readonly string[] {
  if (hinted.size === 0 || (type === 'MODIFIED' && readiness(object) === readiness(old))) return [];
  return [...hinted].filter((key) => isOverloaded(hintsByZone(placementOf(placements, key).slices.values()), zones.shares()));
}

/** The changes with the hints that the service asks for, or without those that it asks for no more. */
function hintedChanges(
  service: Service,
  changes: SliceChanges,
  mine: ReadonlyMap<string, EndpointSlice>,
  placement: Placement,
  { names, gates, state }: { readonly names: Names; readonly gates: FeatureGates; readonly state: State },
): SliceChanges {
  const wants = wantsHints(service, names);
  if (isOff(gates, 'TopologyAwareHints') || (!wants && placement.hinted.size === 0)) return changes;
  const touched = new Set([
    ...changes.update.map(({ slice }) => slice.metadata.name),
    ...changes.remove.map(({ metadata }) => metadata.name),
  ]);
  const unchanged = [...mine.values()].filter(({ metadata }) => !touched.has(metadata.name));
  return wants ? withHints(changes, unchanged, state.zones.shares()) : withoutHints(changes, unchanged);
}

const failing = (service: Service): EventText => ({
  about: service,
  type: 'Warning',
  reason: 'FailedToUpdateEndpointSlices',
  message: `Error updating Endpoint Slices for Service ${keyOf(service)}: {error}`,
});

export const endpointSlices = defineController<'Service', Memory, State>({
  name: 'endpoint-slice',
  component: 'endpoint-slice-controller',
  reconciles: 'Service',
  writes: ['EndpointSlice'],
  backoff: { baseMs: 1_000, maxMs: 1_000_000 },
  models:
    'v1.24 pkg/controller/endpointslice. Simplified: IPv4; a pod whose node is unknown waits for the node instead of being tried again and again. Zones that claim alike get hints in the order of their names.',
  watches: [
    watch('Pod', (delta, { cache, state }) => servicesOfPod(state.services, delta, cache)),
    watch('Node', (delta, context) => [...servicesOfNode(context.state.services, delta, context.cache), ...overloaded(delta, context)]),
    watch('EndpointSlice', ({ type, object }, { names }) => (type === 'ADDED' ? undefined : serviceOf(object, names))),
  ],
  start({ names, gates }) {
    const placements = new Map<string, Placement>();
    const terminating = !isOff(gates, 'EndpointSliceTerminatingCondition');
    const showing = { zoneLabel: names.key('topology', 'zone'), terminating, endpointOf: showingFor(terminating) };
    return {
      placements,
      services: new Map(),
      zones: createZones(names),
      hinted: new Set(),
      entries: {
        record: (key) => placementOf(placements, key),
        show: (pod, service, cache) => entryOf(pod, service, cache, showing),
        put: putEntry,
      },
    };
  },
  observe: observing({
    EndpointSlice: (delta, { state, names }) => followSlice(state, delta, names),
    Service: (delta, { state, cache }) => followService(state.entries, state.services, delta, cache),
    Pod: (delta, { state, cache }) => followPod(state.entries, state.services, delta, cache),
    Node: (delta, { state, cache }) => {
      followNode(state.entries, state.services, delta, cache);
      state.zones.see(delta.object, delta.type === 'DELETED');
    },
  }),
  reconcile({ self: service, key, names, gates, state, memory, seesOwnWrites }): Outcome<Memory> {
    const backends = state.services.get(key);
    if (!selectsPods(service) || backends === undefined) return idle("it has no selector: its slices are somebody else's");
    // Upstream fails such a sync, so that it is tried again.
    if (!seesOwnWrites) return { why: 'it waits to see its own slices', writes: [], backoff: 'retry' };
    const { namespace, name, uid, deletionTimestamp } = service.metadata;
    const labels = {
      ...service.metadata.labels,
      [names.key('', 'service-name')]: name,
      [names.key('endpointslice', 'managed-by')]: managerOf(names),
      ...(isHeadless(service) ? { [names.key('service', 'headless')]: '' } : {}),
    };
    const placement = backends.record;
    const mine = new Map(
      [...placement.slices].filter(([, { metadata }]) => metadata.ownerReferences?.some((owner) => owner.uid === uid) === true),
    );
    // Slices of an earlier service of that name.
    const strangers = [...placement.slices].filter(([at]) => !mine.has(at)).map(([, slice]) => slice);
    const arranged = rearrange([...mine.values()], misplaced(placement, mine), (slice) => !sameLabels(slice.metadata.labels, labels), true);
    const changes = hintedChanges(service, arranged, mine, placement, { names, gates, state });
    const told: Memory = { told: backends.times.version };
    const changedAt = memory === undefined ? parseTime(service.metadata.creationTimestamp) : backends.times.since(memory.told);
    const trigger = names.key('endpoints', 'last-change-trigger-time');
    const stamp = changedAt === undefined ? {} : { [trigger]: formatTime(changedAt) };
    const otherwise = failing(service);
    const made =
      deletionTimestamp !== undefined
        ? []
        : changes.create.map(({ ports, endpoints }) =>
            create(
              {
                apiVersion: `${names.group('discovery')}/v1`,
                kind: 'EndpointSlice',
                addressType: 'IPv4',
                endpoints,
                ports,
                metadata: {
                  generateName: `${name}-`,
                  ...(namespace === undefined ? {} : { namespace }),
                  labels,
                  ...(changedAt === undefined ? {} : { annotations: stamp }),
                  ownerReferences: [{ apiVersion: 'v1', kind: 'Service', name, uid, controller: true, blockOwnerDeletion: true }],
                },
              },
              { tolerate: ['Forbidden'], otherwise },
            ),
          );
    const updated = changes.update.flatMap(({ slice, endpoints }): Write[] => {
      const { annotations: { [trigger]: before, ...others } = {}, ...metadata } = slice.metadata;
      // The empty slice of a service without endpoints is written at every sync; that is something only if the time of the change is.
      const stored = mine.get(storeKey(namespace, slice.metadata.name));
      const isEmpty = endpoints.length === 0 && (stored?.endpoints ?? []).length === 0;
      const isSame =
        isEmpty &&
        portsText(stored?.ports) === portsText(slice.ports) &&
        sameLabels(slice.metadata.labels, labels) &&
        before === stamp[trigger];
      // Looked at for its hints, and found to fit.
      if (
        isSame ||
        (slice === stored &&
          endpoints.every((endpoint, at) => endpoint === stored.endpoints?.[at]) &&
          endpoints.length === stored.endpoints?.length &&
          sameLabels(slice.metadata.labels, labels))
      )
        return [];
      const annotations = { ...others, ...stamp };
      return [
        {
          op: 'update',
          object: {
            ...slice,
            metadata: { ...metadata, labels, ...(Object.keys(annotations).length === 0 ? {} : { annotations }) },
            endpoints,
          },
          awaited: true,
          otherwise,
        },
      ];
    });
    const writes = [...made, ...updated, ...[...changes.remove, ...strangers].map((slice) => remove(slice, { otherwise }))];
    const why =
      writes.length === 0
        ? `its slices hold its ${backends.pods.size} pods as they are`
        : `its ${backends.pods.size} pods or its ports have changed`;
    return { why, writes, memory: told };
  },
  reconcileAbsent: ({ key }) => idle(`the service ${splitKey(key).name} is gone, its slices go with it`),
});
