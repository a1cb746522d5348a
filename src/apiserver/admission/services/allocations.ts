/**
 * Addresses and ports of services, in order, where upstream draws. Models: v1.24 pkg/registry/core/service ip- and portallocator; storage
 * alloc.go initNodePorts; portallocator operation.go.
 */
import { isOf, needsHealthCheck, needsNodePorts, type ServicePort, type ServiceSpec } from '../../kinds/index.ts';
import type { ApiObject, FieldError } from '../../machinery/index.ts';
import { internal, internalError } from '../../request/index.ts';
import type { Change, Store } from '../../store/index.ts';
import { bump, formatIp, type Ip } from '../../../schema/values/index.ts';

/** Requested addresses are in the real server's default range. Automatic ones continue beyond it, for clusters of many services. */
const FIRST = 0x0a_00_00_00;
const ASKED = 0x100;
/** The lower part of the range, preferred for requested addresses: a sixteenth of the range, sixteen at least. */
const KEPT_LOW = 16;
const GIVEN = 0x1_0000;
export const ADDRESS_RANGE = '10.0.0.0/24';
const PORTS = { first: 30_000, last: 32_767 };
const PORT_RANGE = `${PORTS.first}-${PORTS.last}`;

const addressAt = (place: number): string => formatIp([FIRST + place]);
/** The first address that may be requested; the Service of the API server has it. */
export const FIRST_ADDRESS = addressAt(1);
/** The address in the answer to a dry run, which allocates nothing. */
export const UNTAKEN_ADDRESS = addressAt(0);

export const inAddressRange = ([word = 0]: Ip): boolean => word > FIRST && word < FIRST + ASKED - 1;
const inPortRange = (port: number): boolean => port >= PORTS.first && port <= PORTS.last;

export class Allocations {
  readonly #addresses = new Map<string, number>();
  readonly #ports = new Map<number, number>();
  /** Where the next search begins: inside the range of requested addresses, and beyond it. */
  readonly #places = { asked: 0, beyond: ASKED - 1 };
  #port = PORTS.first - 1;

  constructor(store: Store) {
    for (const object of store.values('Service')) this.#count(object, 1);
    store.onChange((change: Change) => {
      if (change.kind !== 'Service') return;
      if (change.previous !== undefined) this.#count(change.previous, -1);
      if (change.type !== 'DELETED') this.#count(change.object, 1);
    });
  }

  #count(object: ApiObject, by: 1 | -1): void {
    if (!isOf('Service', object)) return;
    const { clusterIPs, clusterIP, ports, healthCheckNodePort } = object.spec;
    for (const address of clusterIPs ?? (clusterIP === undefined ? [] : [clusterIP])) bump(this.#addresses, address, by);
    for (const { nodePort } of ports ?? []) if (nodePort !== undefined) bump(this.#ports, nodePort, by);
    if (healthCheckNodePort !== undefined) bump(this.#ports, healthCheckNodePort, by);
  }

  hasAddress(address: string): boolean {
    return this.#addresses.has(address);
  }

  hasPort(port: number): boolean {
    return this.#ports.has(port);
  }

  /** Allocates the next free address, with `sparesLow` the lower part last. Models: v1.24 ipallocator calculateRangeOffset. */
  address(sparesLow: boolean): string | undefined {
    const high = sparesLow ? this.#search('asked', KEPT_LOW + 1, ASKED - 1) : undefined;
    return high ?? this.#search('asked', 1, ASKED - 1) ?? this.#search('beyond', ASKED, GIVEN - 1);
  }

  #search(part: 'asked' | 'beyond', from: number, end: number): string | undefined {
    for (let tries = from; tries < end; tries++) {
      const next = this.#places[part] + 1;
      this.#places[part] = next < from || next >= end ? from : next;
      const found = addressAt(this.#places[part]);
      if (!this.#addresses.has(found)) return found;
    }
    return undefined;
  }

  port(besides: ReadonlySet<number>): number | undefined {
    for (let tries = PORTS.first; tries <= PORTS.last; tries++) {
      this.#port = this.#port >= PORTS.last ? PORTS.first : this.#port + 1;
      if (!this.#ports.has(this.#port) && !besides.has(this.#port)) return this.#port;
    }
    return undefined;
  }
}

// Node ports.

/** The first automatic port in the answer to a dry run: just beyond the range that is allocated. */
const UNTAKEN_PORT = 32_769;

/** The ports that one request allocates. */
class PortReservation {
  readonly #allocations: Allocations;
  readonly #dryRun: boolean;
  readonly #taken = new Set<number>();

  constructor(allocations: Allocations, dryRun: boolean) {
    this.#allocations = allocations;
    this.#dryRun = dryRun;
  }

  /** Allocates a port. Returns the error text if it is not available, else undefined. */
  take(port: number): string | undefined {
    if (!this.#dryRun && !inPortRange(port)) return `provided port is not in the valid range. The range of valid ports is ${PORT_RANGE}`;
    if (this.#allocations.hasPort(port) || this.#taken.has(port)) return 'provided port is already allocated';
    this.#taken.add(port);
    return undefined;
  }

  next(): number | undefined {
    const port = this.#dryRun ? Math.max(UNTAKEN_PORT - 1, ...this.#taken) + 1 : this.#allocations.port(this.#taken);
    if (port !== undefined) this.#taken.add(port);
    return port;
  }
}

interface PortOptions {
  readonly allocations: Allocations;
  readonly dryRun: boolean;
  readonly refuse: (error: FieldError) => Error;
}

export function portsFor(
  spec: ServiceSpec,
  old: ServiceSpec | undefined,
  { allocations, dryRun, refuse }: PortOptions,
): Pick<ServiceSpec, 'ports' | 'healthCheckNodePort'> {
  const reservation = new PortReservation(allocations, dryRun);
  const made: { ports?: readonly ServicePort[]; healthCheckNodePort?: number } = {};
  if (needsNodePorts(spec) && spec.ports !== undefined)
    made.ports = old === undefined ? firstPorts(spec, reservation, refuse) : laterPorts(spec, old, reservation, refuse);
  if (needsHealthCheck(spec) && !(old !== undefined && needsHealthCheck(old))) made.healthCheckNodePort = healthPort(spec, reservation);
  return made;
}

const chooses = ({ type, allocateLoadBalancerNodePorts }: ServiceSpec): boolean =>
  type !== 'LoadBalancer' || allocateLoadBalancerNodePorts !== false;
const notAllocated = (at: number, value: number, detail: string): FieldError => ({
  type: 'Invalid',
  field: `spec.ports[${at}].nodePort`,
  value,
  detail,
});

function chosen(reservation: PortReservation): number {
  const port = reservation.next();
  if (port === undefined) throw internalError('failed to allocate a nodePort: range is full');
  return port;
}

/** A port with several protocols has one node port: the one that any of them requests. */
function firstPorts(spec: ServiceSpec, reservation: PortReservation, refuse: PortOptions['refuse']): readonly ServicePort[] {
  const ports = spec.ports ?? [];
  const byPort = new Map<number, number>();
  return ports.map((port, at) => {
    const { nodePort = 0 } = port;
    if (nodePort === 0 && !chooses(spec)) return port;
    const known = byPort.get(port.port);
    if (known !== undefined && nodePort === 0) return { ...port, nodePort: known };
    if (known === nodePort) return port;
    const asked = known === undefined ? ports.find((one) => one.port === port.port && one.nodePort !== undefined)?.nodePort : nodePort;
    const problem = asked === undefined ? undefined : reservation.take(asked);
    if (asked !== undefined && problem !== undefined) throw refuse(notAllocated(at, asked, problem));
    const found = asked ?? chosen(reservation);
    if (known === undefined) byPort.set(port.port, found);
    return nodePort === found ? port : { ...port, nodePort: found };
  });
}

/** Node ports that the service has already are free for it. */
function laterPorts(
  spec: ServiceSpec,
  old: ServiceSpec,
  reservation: PortReservation,
  refuse: PortOptions['refuse'],
): readonly ServicePort[] {
  const own = new Set((old.ports ?? []).flatMap(({ nodePort }) => (nodePort === undefined ? [] : [nodePort])));
  const pairs = new Set<string>();
  return (spec.ports ?? []).map((port, at) => {
    const { nodePort = 0 } = port;
    if (nodePort === 0 && !chooses(spec)) return port;
    let found = nodePort;
    if (found === 0) found = chosen(reservation);
    else if (!own.has(found)) {
      const problem = reservation.take(found);
      if (problem !== undefined) throw refuse(notAllocated(at, found, problem));
      own.add(found);
    }
    const pair = `{${port.protocol} ${found}}`;
    if (pairs.has(pair)) throw internal(`duplicate nodePort: ${pair}`);
    pairs.add(pair);
    return found === nodePort ? port : { ...port, nodePort: found };
  });
}

function healthPort({ healthCheckNodePort: asked }: ServiceSpec, reservation: PortReservation): number {
  if (asked === undefined) return reservation.next() ?? fail('failed to allocate a HealthCheck NodePort 0: range is full');
  const problem = reservation.take(asked);
  return problem === undefined ? asked : fail(`failed to allocate requested HealthCheck NodePort ${asked}: ${problem}`);
}

function fail(message: string): never {
  throw internalError(message);
}
