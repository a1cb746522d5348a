/** Mirrors Endpoints that people write for services without selectors into slices. Models: v1.24 pkg/controller/endpointslicemirroring. Simplified: IPv4 and FQDN-free. */
import type { Endpoints, EndpointSlice, Names } from '../../api/index.ts';
import { create, defineController, idle, remove, write, type CacheView, type Outcome, type Write } from '../../runtime/index.ts';
import { arrange, type Endpoint, type SlicePort, type Wanted } from '../endpoint-slice/slices.ts';

const MOST_PER_SUBSET = 1000;

const managerOf = (names: Names): string => `endpointslicemirroring-controller.${names.domain}`;

/** Why an Endpoints object is not mirrored; undefined when it is. */
const unmirrored = (endpoints: Endpoints, names: Names, cache: CacheView): string | undefined => {
  if (endpoints.metadata.labels?.[names.key('endpointslice', 'skip-mirror')] === 'true') return 'it asks not to be mirrored';
  if (endpoints.metadata.annotations?.[`control-plane.alpha.${names.key('', 'leader')}`] !== undefined) return 'it is a leader lock';
  const service = cache.get('Service', endpoints.metadata.namespace, endpoints.metadata.name);
  if (service === undefined) return 'there is no service of its name';
  return Object.keys(service.spec.selector ?? {}).length > 0 ? 'its service has a selector, so the slices are made from pods' : undefined;
};

const wantedSlices = (endpoints: Endpoints): readonly Wanted[] => (endpoints.subsets ?? []).flatMap(({ addresses = [], notReadyAddresses = [], ports = [] }) => {
  const one = (ready: boolean) => ({ ip, hostname, nodeName, targetRef }: (typeof addresses)[number]): Endpoint => ({
    addresses: [ip], conditions: { ready }, ...(hostname === undefined ? {} : { hostname }), ...(targetRef === undefined ? {} : { targetRef }), ...(nodeName === undefined ? {} : { nodeName }),
  });
  const all = [...addresses.map(one(true)), ...notReadyAddresses.map(one(false))].slice(0, MOST_PER_SUBSET);
  if (all.length === 0) return [];
  return [{ endpoints: all, ports: ports.map(({ name = '', port, protocol = 'TCP', appProtocol }): SlicePort => ({ name, port, protocol, ...(appProtocol === undefined ? {} : { appProtocol }) })) }];
});

export const endpointSliceMirroring = defineController({
  name: 'endpoint-slice-mirroring',
  component: 'endpoint-slice-mirroring-controller',
  reconciles: 'Endpoints',
  writes: ['EndpointSlice'],
  models: 'v1.24 pkg/controller/endpointslicemirroring. Simplified: IPv4.',
  watches: [
    { kind: 'Service', enqueue: ({ key }) => key },
    { kind: 'EndpointSlice', enqueue: ({ type, object }, { names }) => {
      const { labels = {}, namespace = '' } = object.metadata;
      return type !== 'DELETED' || labels[names.key('endpointslice', 'managed-by')] !== managerOf(names) ? undefined : `${namespace}/${labels[names.key('', 'service-name')] ?? ''}`;
    } },
  ],
  reconcile({ self: endpoints, cache, names, seesOwnWrites }): Outcome<never> {
    if (!seesOwnWrites) return idle('it waits to see its own slices');
    const mine = cache.controlledBy('EndpointSlice', endpoints).filter(({ metadata }) => metadata.labels?.[names.key('endpointslice', 'managed-by')] === managerOf(names));
    const reason = unmirrored(endpoints, names, cache);
    if (reason !== undefined) return mine.length === 0 ? idle(reason) : write(reason, ...mine.map((slice) => remove(slice)));
    const { namespace, name, uid } = endpoints.metadata;
    const labels = { ...endpoints.metadata.labels, [names.key('', 'service-name')]: name, [names.key('endpointslice', 'managed-by')]: managerOf(names) };
    const { create: made, update, remove: gone } = arrange(mine, wantedSlices(endpoints), () => false, false);
    if (made.length + update.length + gone.length === 0) return idle('its slices mirror it');
    const writes: Write[] = [
      ...made.map(({ ports, endpoints: filled }) => create({
        apiVersion: `${names.group('discovery')}/v1`, kind: 'EndpointSlice', addressType: 'IPv4', endpoints: filled, ports,
        metadata: { generateName: `${name}-`, ...(namespace === undefined ? {} : { namespace }), labels, ownerReferences: [{ apiVersion: 'v1', kind: 'Endpoints', name, uid, controller: true, blockOwnerDeletion: true }] },
      }, { tolerate: ['Forbidden'] })),
      ...update.map(({ slice, endpoints: filled }): Write => ({ op: 'update', object: { ...slice, metadata: { ...slice.metadata, labels }, endpoints: filled } as EndpointSlice })),
      ...gone.map((slice) => remove(slice)),
    ];
    return write('what somebody wrote into it is not in its slices yet', ...writes);
  },
});
