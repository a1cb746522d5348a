/** Node ports of services. Models: v1.24 pkg/registry/core/service/storage alloc.go initNodePorts; portallocator operation.go. */
import type { FieldError } from '../../machinery/index.ts';
import { needsHealthCheck, needsNodePorts, type ServicePort, type ServiceSpec } from '../../kinds/index.ts';
import { internal, internalError } from '../../request/index.ts';
import { PORT_RANGE, inPortRange, type Allocations } from './allocations.ts';

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

export interface PortOptions {
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
