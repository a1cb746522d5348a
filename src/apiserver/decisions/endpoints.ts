/**
 * The endpoints of a service, from Endpoints or EndpointSlices, and those that a consumer uses. The expanded set of an Endpoints object is
 * the product of addresses and ports of each subset, over all subsets. That of slices is their union, without duplicates. Models: the
 * specification of Endpoints and EndpointSlice v1; v1.24 pkg/proxy endpointslicecache.go (which of two equal endpoints counts), topology.go
 * (hints are used only if all endpoints have hints).
 */
import type { Endpoints, EndpointSlice } from '../kinds/index.ts';
import type { FeatureGates } from '../machinery/index.ts';
import { compareText, present } from '../../schema/values/index.ts';

/** One address with one port. */
export interface ServiceEndpoint {
  /** The first of its addresses: they are interchangeable for a client. */
  readonly address: string;
  /** Undefined with `portName`: every port; undefined without it: no port is defined. */
  readonly port?: number;
  readonly portName?: string;
  readonly protocol?: string;
  readonly ready: boolean;
  readonly serving: boolean;
  readonly terminating: boolean;
  readonly zone?: string;
  readonly nodeName?: string;
  /** The zones that should use it. */
  readonly forZones: readonly string[];
  /** The object that provides it, `Pod/name`. */
  readonly target?: string;
}

interface PortLike {
  readonly name?: string;
  readonly port?: number;
  readonly protocol?: string;
}
type Address = Omit<ServiceEndpoint, 'port' | 'portName' | 'protocol'>;

const withPort = (address: Address, port: PortLike | undefined): ServiceEndpoint =>
  port === undefined
    ? address
    : { ...address, ...(port.port === undefined ? {} : { port: port.port }), portName: port.name ?? '', protocol: port.protocol ?? 'TCP' };

const product = (addresses: readonly Address[], ports: readonly PortLike[]): readonly ServiceEndpoint[] =>
  addresses.flatMap((address) => (ports.length === 0 ? [withPort(address, undefined)] : ports.map((port) => withPort(address, port))));

const targetOf = (reference: { readonly kind?: string; readonly name?: string } | undefined): string | undefined =>
  reference?.name === undefined ? undefined : `${reference.kind ?? ''}/${reference.name}`;

/** The identity of an endpoint, independent of its state. Blanks sort before all characters of names and addresses. */
const identity = ({ address, port, portName, protocol }: ServiceEndpoint): string =>
  `${address} ${portName ?? ''} ${protocol ?? ''} ${port ?? ''}`;

/** Removes duplicates by address and port; the last one counts. */
function unique(all: readonly ServiceEndpoint[]): readonly ServiceEndpoint[] {
  const byIdentity = new Map<string, ServiceEndpoint>();
  for (const one of all) byIdentity.set(identity(one), one);
  return [...byIdentity.values()].toSorted((a, b) => compareText(identity(a), identity(b)));
}

/** Returns the expanded set of an Endpoints object. An address that any subset lists as ready for a port is ready for it. */
export function expandEndpoints({ subsets = [] }: Pick<Endpoints, 'subsets'>): readonly ServiceEndpoint[] {
  type EndpointAddress = NonNullable<NonNullable<Endpoints['subsets']>[number]['addresses']>[number];
  const one =
    (ready: boolean) =>
    ({ ip, nodeName, targetRef }: EndpointAddress): Address => ({
      address: ip,
      ready,
      serving: ready,
      terminating: false,
      forZones: [],
      ...present({ nodeName, target: targetOf(targetRef) }),
    });
  const unready = subsets.flatMap(({ notReadyAddresses = [], ports = [] }) => product(notReadyAddresses.map(one(false)), ports));
  const ready = subsets.flatMap(({ addresses = [], ports = [] }) => product(addresses.map(one(true)), ports));
  return unique([...unready, ...ready]);
}

export type EndpointState = Pick<ServiceEndpoint, 'ready' | 'serving' | 'terminating'>;

/** Returns the conditions with defaults: ready unless stated otherwise, serving if ready, and never ready while terminating. */
export const endpointState = ({ ready, serving, terminating = false }: Partial<EndpointState> = {}): EndpointState => ({
  ready: ready !== false && !terminating,
  serving: serving ?? ready !== false,
  terminating,
});

/** Returns the union of a service's slices. */
export function joinSlices(slices: Iterable<EndpointSlice>): readonly ServiceEndpoint[] {
  const sorted = [...slices].toSorted((a, b) => compareText(a.metadata.name, b.metadata.name));
  return unique(
    sorted.flatMap(({ endpoints, ports }) =>
      product(
        (endpoints ?? []).flatMap(({ addresses, conditions, zone, nodeName, hints, targetRef }): Address[] => {
          const [address] = addresses ?? [];
          if (address === undefined) return [];
          return [
            {
              address,
              ...endpointState(conditions),
              forZones: (hints?.forZones ?? []).map(({ name }) => name),
              ...present({ zone, nodeName, target: targetOf(targetRef) }),
            },
          ];
        }),
        ports ?? [],
      ),
    ),
  );
}

type NamedPorts = readonly { readonly name?: string | undefined }[];

/** Returns the endpoints that a service routes to, by port name; without ports on either side all match. */
export const reachedBy = (ports: NamedPorts | null | undefined, all: readonly ServiceEndpoint[]): readonly ServiceEndpoint[] =>
  ports === undefined || ports === null || ports.length === 0
    ? all
    : all.filter(({ portName }) => portName === undefined || ports.some(({ name = '' }) => name === portName));

/**
 * Returns the endpoints that a consumer uses: the ready ones. If all ready ones have zone hints and at least one is for its zone, only
 * those for its zone. With the gate ProxyTerminatingEndpoints, and if none is ready: those that are terminating and still serving, of any
 * zone.
 */
export function usedEndpoints(all: readonly ServiceEndpoint[], zone?: string, gates: FeatureGates = {}): readonly ServiceEndpoint[] {
  const ready = all.filter((one) => one.ready);
  if (ready.length === 0 && gates['ProxyTerminatingEndpoints'] === true) return all.filter((one) => one.serving && one.terminating);
  if (zone === undefined || ready.some(({ forZones }) => forZones.length === 0)) return ready;
  const near = ready.filter(({ forZones }) => forZones.includes(zone));
  return near.length === 0 ? ready : near;
}

/** Prints an endpoint: `10.0.0.1:80`, `[fd00::1]:80`, `10.0.0.1` without ports, `10.0.0.1:*` for all ports. */
export function endpointText({ address, port, portName }: ServiceEndpoint): string {
  if (portName === undefined) return address;
  return `${address.includes(':') ? `[${address}]` : address}:${port ?? '*'}`;
}
