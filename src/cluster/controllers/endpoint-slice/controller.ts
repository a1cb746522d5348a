/** Keeps the EndpointSlices of every service with a selector. Models: v1.24 pkg/controller/endpointslice. Simplified: IPv4; no topology hints. */
import type { EndpointSlice, Names, Pod, Service } from '../../api/index.ts';
import { create, defineController, idle, remove, write, type CacheView, type Outcome } from '../../runtime/index.ts';
import { createMembers, membersOf, observeMembers, podWatch, type Members } from '../endpoints/members.ts';
import { hostnameIn, isHeadless, isReady, podPorts, podReference } from '../endpoints/ports.ts';
import { triggerTime, type Told } from '../endpoints/trigger-time.ts';
import { arrange, portsText, type Endpoint, type SlicePort, type Wanted } from './slices.ts';

const serviceOf = (object: { readonly metadata: { readonly namespace?: string; readonly labels?: Readonly<Record<string, string>> } }, names: Names): string | undefined => {
  const name = object.metadata.labels?.[names.key('', 'service-name')];
  return name === undefined ? undefined : `${object.metadata.namespace ?? ''}/${name}`;
};

const endpointOf = (pod: Pod, service: Service, names: Names, cache: CacheView): Endpoint => {
  const serving = isReady(pod);
  const terminating = pod.metadata.deletionTimestamp !== undefined;
  const hostname = hostnameIn(pod, service);
  const zone = pod.spec.nodeName === undefined ? undefined : cache.get('Node', undefined, pod.spec.nodeName)?.metadata.labels?.[names.key('topology', 'zone')];
  return {
    addresses: [pod.status.podIP ?? ''],
    conditions: { ready: service.spec.publishNotReadyAddresses === true || (serving && !terminating), serving, terminating },
    ...(hostname === undefined ? {} : { hostname }),
    targetRef: podReference(pod),
    ...(pod.spec.nodeName === undefined ? {} : { nodeName: pod.spec.nodeName }),
    ...(zone === undefined ? {} : { zone }),
  };
};

/** Endpoints by the ports they share. */
const wantedSlices = (service: Service, pods: readonly Pod[], names: Names, cache: CacheView): readonly Wanted[] => {
  const groups = new Map<string, { readonly ports: readonly SlicePort[]; readonly endpoints: Endpoint[] }>();
  for (const pod of pods) {
    const { phase, podIP } = pod.status;
    if (podIP === undefined || podIP === '' || phase === 'Succeeded' || phase === 'Failed') continue;
    const ports = podPorts(pod, service) as readonly SlicePort[];
    const id = portsText(ports);
    const group = groups.get(id);
    if (group === undefined) groups.set(id, { ports, endpoints: [endpointOf(pod, service, names, cache)] });
    else group.endpoints.push(endpointOf(pod, service, names, cache));
  }
  return [...groups.values()];
};

export const endpointSlices = defineController<'Service', Told, Members>({
  name: 'endpoint-slice',
  component: 'endpoint-slice-controller',
  reconciles: 'Service',
  writes: ['EndpointSlice'],
  models: 'v1.24 pkg/controller/endpointslice. Simplified: IPv4; no topology hints.',
  watches: [podWatch, { kind: 'Node', enqueue: () => undefined }, { kind: 'EndpointSlice', enqueue: ({ type, object }, { names }) => (type === 'ADDED' ? undefined : serviceOf(object, names)) }],
  start: createMembers,
  observe: observeMembers,
  reconcile({ self: service, key, cache, names, state, memory, seesOwnWrites }): Outcome<Told> {
    if (Object.keys(service.spec.selector ?? {}).length === 0) return idle('it has no selector: its slices are somebody else\'s');
    if (service.metadata.deletionTimestamp !== undefined) return idle('it is being deleted');
    if (!seesOwnWrites) return idle('it waits to see its own slices');
    const manager = `endpointslice-controller.${names.domain}`;
    const { namespace, name, uid } = service.metadata;
    const labels = { ...service.metadata.labels, [names.key('', 'service-name')]: name, [names.key('endpointslice', 'managed-by')]: manager, ...(isHeadless(service) ? { [names.key('service', 'headless')]: '' } : {}) };
    const mine = cache.controlledBy('EndpointSlice', service).filter((slice) => slice.metadata.labels?.[names.key('endpointslice', 'managed-by')] === manager && slice.metadata.deletionTimestamp === undefined);
    const pods = membersOf(state, key, cache);
    const { create: made, update, remove: gone } = arrange(mine, wantedSlices(service, pods, names, cache), (slice) => !sameLabels(slice.metadata.labels, labels), true);
    if (made.length + update.length + gone.length === 0) return idle(`its slices hold its ${pods.length} pods as they are`);
    const trigger = names.key('endpoints', 'last-change-trigger-time');
    const { changedAt, told } = triggerTime(memory, service, pods);
    const annotations = changedAt === undefined ? {} : { annotations: { [trigger]: changedAt } };
    const owner = { apiVersion: 'v1', kind: 'Service', name, uid, controller: true, blockOwnerDeletion: true };
    const outcome = write(`its ${pods.length} pods or its ports have changed`,
      ...made.map(({ ports, endpoints }) => create({
        apiVersion: `${names.group('discovery')}/v1`, kind: 'EndpointSlice', addressType: 'IPv4', endpoints, ports,
        metadata: { generateName: `${name}-`, ...(namespace === undefined ? {} : { namespace }), labels, ...annotations, ownerReferences: [owner] },
      }, { tolerate: ['Forbidden'] })),
      ...update.map(({ slice, endpoints }) => {
        const { annotations: _, ...metadata } = slice.metadata;
        return { op: 'update', object: { ...slice, metadata: { ...metadata, labels, ...annotations }, endpoints } as EndpointSlice } as const;
      }),
      ...gone.map((slice) => remove(slice)));
    return { ...outcome, memory: told };
  },
});

const sameLabels = (a: Readonly<Record<string, string>> | undefined, b: Readonly<Record<string, string>>): boolean =>
  Object.keys(a ?? {}).length === Object.keys(b).length && Object.entries(b).every(([key, value]) => a?.[key] === value);
