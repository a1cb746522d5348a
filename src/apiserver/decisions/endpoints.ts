/**
 * The endpoints of a service, from either form, and which of them a consumer uses. The expanded set of an Endpoints object is the product
 * of addresses and ports of each subset, all subsets joined; that of slices is their union, each endpoint once. Models: the specification
 * of Endpoints and EndpointSlice v1; v1.24 pkg/proxy endpointslicecache.go (which of two equal endpoints counts), topology.go (hints are
 * used only where all endpoints have some).
 */
import type { Endpoints, EndpointSlice } from '../kinds/index.ts';
import type { FeatureGates } from '../machinery/index.ts';
import { compareText } from '../../schema/values/index.ts';

/** One address with one port. */
export interface ServiceEndpoint {
  /** The first of its addresses: all are the same to a client. */
  readonly address: string;
  /** undefined with `portName`: every port; undefined without: none is defined. */
  readonly port?: number;
  readonly portName?: string;
  readonly protocol?: string;
  readonly ready: boolean;
  readonly serving: boolean;
  readonly terminating: boolean;
  readonly zone?: string;
  readonly nodeName?: string;
  /** Zones that should use it. */
  readonly forZones: readonly string[];
  /** What provides it, `Pod/name`. */
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

const targetOf = (reference: { readonly kind?: string; readonly name?: string } | undefined): { readonly target?: string } =>
  reference?.name === undefined ? {} : { target: `${reference.kind ?? ''}/${reference.name}` };

/** Who an endpoint is, whatever its state. Blanks sort before all that names and addresses are made of. */
const identity = ({ address, port, portName, protocol }: ServiceEndpoint): string =>
  `${address} ${portName ?? ''} ${protocol ?? ''} ${port ?? ''}`;

/** Each endpoint once, by address and port; of equals the last counts. */
function unique(all: readonly ServiceEndpoint[]): readonly ServiceEndpoint[] {
  const byIdentity = new Map<string, ServiceEndpoint>();
  for (const one of all) byIdentity.set(identity(one), one);
  return [...byIdentity.values()].toSorted((a, b) => compareText(identity(a), identity(b)));
}

/** The expanded set of an Endpoints object. An address that one subset calls ready for a port and another does not, is ready for it. */
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
      ...(nodeName === undefined ? {} : { nodeName }),
      ...targetOf(targetRef),
    });
  const unready = subsets.flatMap(({ notReadyAddresses = [], ports = [] }) => product(notReadyAddresses.map(one(false)), ports));
  const ready = subsets.flatMap(({ addresses = [], ports = [] }) => product(addresses.map(one(true)), ports));
  return unique([...unready, ...ready]);
}

export interface EndpointState {
  readonly ready: boolean;
  readonly serving: boolean;
  readonly terminating: boolean;
}

/** Conditions with what is unknown filled in: ready unless it says otherwise, serving as it is ready, and never ready while terminating. */
export function endpointState({
  ready,
  serving,
  terminating = false,
}: { readonly ready?: boolean; readonly serving?: boolean; readonly terminating?: boolean } = {}): EndpointState {
  return { ready: ready !== false && !terminating, serving: serving ?? ready !== false, terminating };
}

/** The union of a service's slices. */
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
              ...(zone === undefined ? {} : { zone }),
              ...(nodeName === undefined ? {} : { nodeName }),
              ...targetOf(targetRef),
            },
          ];
        }),
        ports ?? [],
      ),
    ),
  );
}

/** Ports of a service, as far as their names go. */
type NamedPorts = readonly { readonly name?: string | undefined }[];

/**
 * Those that a service leads to: the port of an endpoint bears the name of one of the service's. Endpoints without ports are addresses
 * alone, and a service without ports leads to whatever there is.
 */
export const reachedBy = (ports: NamedPorts | null | undefined, all: readonly ServiceEndpoint[]): readonly ServiceEndpoint[] =>
  ports === undefined || ports === null || ports.length === 0
    ? all
    : all.filter(({ portName }) => portName === undefined || ports.some(({ name = '' }) => name === portName));

/**
 * What a consumer uses: the ready ones; of these the ones meant for its zone, if all ready ones are meant for some zone and at least one
 * for its own. With the gate ProxyTerminatingEndpoints, and none ready: those that end and still serve, wherever they are.
 */
export function usedEndpoints(all: readonly ServiceEndpoint[], zone?: string, gates: FeatureGates = {}): readonly ServiceEndpoint[] {
  const ready = all.filter((one) => one.ready);
  if (ready.length === 0 && gates['ProxyTerminatingEndpoints'] === true) return all.filter((one) => one.serving && one.terminating);
  if (zone === undefined || ready.some(({ forZones }) => forZones.length === 0)) return ready;
  const near = ready.filter(({ forZones }) => forZones.includes(zone));
  return near.length === 0 ? ready : near;
}

/** An endpoint as people write it: `10.0.0.1:80`, `[fd00::1]:80`, `10.0.0.1` without ports, `10.0.0.1:*` for all of them. */
export function endpointText({ address, port, portName }: ServiceEndpoint): string {
  if (portName === undefined) return address;
  return `${address.includes(':') ? `[${address}]` : address}:${port ?? '*'}`;
}
