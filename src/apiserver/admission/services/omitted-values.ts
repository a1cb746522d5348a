/**
 * Allocated values that an update omits. Models: v1.24 pkg/registry/core/service/storage storage.go patchAllocatedValues,
 * normalizeClusterIPs.
 */
import { needsAddress, needsHealthCheck, needsNodePorts, type ServicePort, type ServiceSpec } from '../../kinds/index.ts';

/** Returns the spec with the omitted values filled in from the stored one. */
export function withOmittedValues(spec: ServiceSpec, old: ServiceSpec | undefined): ServiceSpec {
  const { clusterIP = '', clusterIPs = [] } = spec;
  // A client that sets only the single address means the list with this one address.
  if (old === undefined) return clusterIP !== '' && clusterIPs.length === 0 ? { ...spec, clusterIPs: [clusterIP] } : spec;
  const { clusterIP: _, clusterIPs: __, ...rest } = spec;
  const { address, addresses } = addressesWithOmitted(spec, old);
  const ports = needsNodePorts(old) && needsNodePorts(spec) ? portsWithOmitted(spec.ports, old.ports) : spec.ports;
  const health = needsHealthCheck(old) && needsHealthCheck(spec) ? (spec.healthCheckNodePort ?? old.healthCheckNodePort) : undefined;
  return {
    ...rest,
    ...(address === '' ? {} : { clusterIP: address }),
    ...(addresses.length === 0 ? {} : { clusterIPs: addresses }),
    ...(ports === undefined ? {} : { ports }),
    ...(health === undefined ? {} : { healthCheckNodePort: health }),
  };
}

function addressesWithOmitted(spec: ServiceSpec, old: ServiceSpec): { readonly address: string; readonly addresses: readonly string[] } {
  const { clusterIP: before = '', clusterIPs: former = [] } = old;
  let { clusterIP: address = '', clusterIPs: addresses = [] } = spec;
  const bothHave = needsAddress(old) && needsAddress(spec);
  if (bothHave && address === '') address = before;
  if (addresses.length === 0 && address === before) addresses = former;
  // If only one of the two fields changed, the other follows it.
  if (address !== before && same(former, addresses)) addresses = address === '' ? [] : [address];
  return { address, addresses };
}

/** Ports keep the node port of the stored port with the same name, unless another port has taken it. */
function portsWithOmitted(
  ports: readonly ServicePort[] | undefined,
  before: readonly ServicePort[] = [],
): readonly ServicePort[] | undefined {
  const nodePorts = (all: readonly ServicePort[] = []): readonly number[] =>
    all.flatMap(({ nodePort }) => (nodePort === undefined ? [] : [nodePort]));
  const asked = new Set(nodePorts(ports));
  const used = new Set(nodePorts(before).filter((port) => asked.has(port)));
  const byName = new Map(before.map(({ name, nodePort }) => [name, nodePort]));
  return ports?.map((port) => {
    const known = port.nodePort === undefined ? byName.get(port.name) : undefined;
    if (known === undefined || used.has(known)) return port;
    used.add(known);
    return { ...port, nodePort: known };
  });
}

const same = (a: readonly string[], b: readonly string[]): boolean => a.length === b.length && a.every((one, at) => one === b[at]);
