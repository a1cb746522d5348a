/** Maintains the EndpointSlices of every service with a selector. Models: v1.24 pkg/controller/endpointslice. */
import { type FeatureGates, type Names, rulesOf, splitKey } from '../../../apiserver/machinery/index.ts';
import type { EndpointSlice, Node, Pod, Service } from '../../../apiserver/kinds/index.ts';
import { defineController, idle, LONGEST_BACKOFF_MS, observing, watch } from '../../runtime/index.ts';
import type { Delta, ObserveContext, Outcome } from '../../runtime/index.ts';
import { keptIn, parseTime } from '../../../schema/values/index.ts';
import {
  followNode,
  followPod,
  followService,
  selectsPods,
  servicesOfNode,
  servicesOfPod,
  hostnameIn,
  isReady,
  podReference,
  sameLabels,
  describeServices,
  present,
  reasonsFor,
  serviceOfSlice,
  servicesOfSlice,
} from '../../shared/index.ts';
import type { Projection, Services, Endpoint } from '../../shared/index.ts';
import { hintsByZone, isOverloaded, wantsHints, withHints, withoutHints, createZones, type Zones } from './hints.ts';
import { areUniform, createPlacement, describePlacement, entryOf, misplaced, putEntry, putSlice, slicesToVisit } from './placement.ts';
import type { Entry, Placement } from './placement.ts';
import { rearrange, type SliceChanges, labelsOf, MANAGER, sliceWrites } from './slices.ts';

interface State {
  readonly services: Services<Entry, Placement>;
  readonly placements: Map<string, Placement>;
  /** How pods become endpoints. */
  readonly entries: Projection<Entry, Placement>;
  readonly zones: Zones;
  /** Services whose slices have hints. */
  readonly hinted: Set<string>;
}
/** Which changes of pods earlier syncs have reported. */
interface Memory {
  readonly reported: number;
}

/** For gates that are on by default. */
const isOff = (gates: FeatureGates, gate: string): boolean => gates[gate] === false;

/** `readyInTheEnd`: terminating endpoints are ready where a Service publishes unready ones (rule `endpoint-slice/ending-is-not-ready`). */
const showingFor =
  (terminating: boolean, readyInTheEnd: boolean) =>
  (pod: Pod, service: Service, zone: string | undefined): Endpoint => {
    const serving = isReady(pod);
    const isTerminating = pod.metadata.deletionTimestamp !== undefined;
    const ready = service.spec.publishNotReadyAddresses === true ? readyInTheEnd || !isTerminating : serving && !isTerminating;
    return present({
      addresses: [pod.status.podIP ?? ''],
      conditions: { ready, ...(terminating ? { serving, terminating: isTerminating } : {}) },
      hostname: hostnameIn(pod, service),
      targetRef: podReference(pod),
      nodeName: pod.spec.nodeName,
      zone,
    });
  };

const placementOf = (placements: Map<string, Placement>, key: string): Placement => keptIn(placements, key, createPlacement);

function followSlice({ placements, hinted }: State, delta: Delta<'EndpointSlice'>, names: Names): void {
  const { key, object } = delta;
  const { before, after } = servicesOfSlice(delta, MANAGER, names);
  if (before !== undefined && before !== after) putSlice(placementOf(placements, before), key, undefined);
  if (after !== undefined) putSlice(placementOf(placements, after), key, object);
  for (const service of [before, after]) {
    if (service === undefined) continue;
    if (placementOf(placements, service).hinted.size > 0) hinted.add(service);
    else hinted.delete(service);
  }
}

const readiness = (node: Node | undefined): string | undefined => node?.status.conditions?.find(({ type }) => type === 'Ready')?.status;

/** Services whose hints leave a zone with too few endpoints after a node was added, removed or changed. */
function overloaded(
  { type, object, old }: Delta<'Node'>,
  { state: { zones, hinted, placements } }: ObserveContext<State>,
): readonly string[] {
  if (hinted.size === 0 || (type === 'MODIFIED' && readiness(object) === readiness(old))) return [];
  return [...hinted].filter((key) => isOverloaded(hintsByZone(placementOf(placements, key).slices.values()), zones.shares()));
}

/** The changes with hints if the service requests them, and otherwise with existing hints removed. */
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

const slicesOf = (owner: string, { slices }: Placement): ReadonlyMap<string, EndpointSlice> =>
  new Map([...slices].filter(([, { metadata }]) => metadata.ownerReferences?.some(({ uid }) => uid === owner) === true));

export const endpointSlices = defineController<'Service', Memory, State>({
  name: 'endpoint-slice',
  component: 'endpoint-slice-controller',
  reconciles: 'Service',
  coalesces: true,
  writes: ['EndpointSlice'],
  backoff: { baseMs: 1_000, maxMs: LONGEST_BACKOFF_MS },
  models:
    'v1.24 pkg/controller/endpointslice. Simplified: IPv4; a pod whose node is unknown waits for the node instead of being retried. Zones with equal shares get hints in the order of their names.',
  watches: [
    watch('Pod', (delta, { cache, state }) => servicesOfPod(state.services, delta, cache), { predicate: { whileThereAre: 'Service' } }),
    watch('Node', (delta, context) => [...servicesOfNode(context.state.services, delta, context.cache), ...overloaded(delta, context)]),
    watch('EndpointSlice', ({ type, object }, { names }) => (type === 'ADDED' ? undefined : serviceOfSlice(object, MANAGER, names))),
  ],
  start({ names, gates, rules }) {
    const placements = new Map<string, Placement>();
    const terminating = !isOff(gates, 'EndpointSliceTerminatingCondition');
    const showing = {
      zoneLabel: names.key('topology', 'zone'),
      terminating,
      endpointOf: showingFor(terminating, rulesOf({ rules, names }) === 'recorded'),
    };
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
  describe: ({ placements, services }) => [
    new Map([...placements].map(([key, placement]) => [key, describePlacement(placement)])),
    describeServices(services, describePlacement),
  ],
  observe: observing({
    EndpointSlice: (delta, { state, names }) => followSlice(state, delta, names),
    Service: (delta, { state, cache }) => followService(state.entries, state.services, delta, cache),
    Pod: (delta, { state, cache }) => followPod(state.entries, state.services, delta, cache),
    Node: (delta, { state, cache }) => {
      followNode(state.entries, state.services, delta, cache);
      state.zones.see(delta.object, delta.type === 'DELETED');
    },
  }),
  reconcile({ self: service, key, names, gates, state, memory, expectationsSatisfied }): Outcome<Memory> {
    const backends = state.services.get(key);
    if (!selectsPods(service) || backends === undefined) return idle('it has no selector: its slices are not managed by this controller');
    // Upstream fails such a sync, so that it is retried.
    if (!expectationsSatisfied) return { why: 'waiting to observe its own writes of slices', writes: [], backoff: 'retry' };
    const labels = labelsOf(service, names);
    const placement = backends.record;
    const { uid, creationTimestamp } = service.metadata;
    const isUniform = areUniform(placement, uid, labels);
    const mine = isUniform ? placement.slices : slicesOf(uid, placement);
    // Slices of an earlier service of the same name.
    const foreign = isUniform ? [] : [...placement.slices].filter(([at]) => !mine.has(at)).map(([, slice]) => slice);
    const wrong = misplaced(placement, mine);
    const existing = isUniform ? slicesToVisit(placement, wrong) : [...mine.values()];
    const isRelabelled = (slice: EndpointSlice): boolean => !sameLabels(slice.metadata.labels, labels);
    const arranged = rearrange(existing, wrong, isRelabelled, mine.size - existing.length);
    const changes = hintedChanges(service, arranged, mine, placement, { names, gates, state });
    const changedAt = memory === undefined ? parseTime(creationTimestamp) : backends.times.since(memory.reported);
    const writes = sliceWrites({ service, labels, names, changedAt }, changes, mine, foreign);
    const reasons = reasonsFor(backends.pods.size, 'its slices');
    return { why: writes.length === 0 ? reasons.same : reasons.changed, writes, memory: { reported: backends.times.version } };
  },
  reconcileAbsent: ({ key }) => idle(`Service ${splitKey(key).name} is gone: delete its slices`),
});
