/**
 * The spec of a service as it follows from what was sent: values that an update omits, and the IP families; this cluster has one family.
 * Models: v1.24 pkg/registry/core/service/storage storage.go patchAllocatedValues, normalizeClusterIPs; alloc.go initIPFamilyFields.
 */
import { type FieldError, sameValue } from '../../machinery/index.ts';
import {
  clusterAddressErrors,
  familyOf,
  isHeadless,
  needsAddress,
  needsHealthCheck,
  needsNodePorts,
  shownAddresses,
} from '../../kinds/index.ts';
import type { ServicePort, ServiceSpec } from '../../kinds/index.ts';

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
  if (address !== before && sameValue(former, addresses)) addresses = address === '' ? [] : [address];
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

const OURS = 'IPv4';
const invalid = (field: string, value: unknown, detail: string): FieldError => ({ type: 'Invalid', field, value, detail });

type Families = Pick<ServiceSpec, 'ipFamilies' | 'ipFamilyPolicy' | 'clusterIPs'>;

export function familiesOf(
  spec: ServiceSpec,
  old: ServiceSpec | undefined,
): { readonly errors: readonly FieldError[] } | { readonly errors?: undefined; readonly families: Families } {
  const open = isHeadless(spec) && Object.keys(spec.selector ?? {}).length === 0;
  const ipFamilyPolicy = spec.ipFamilyPolicy ?? old?.ipFamilyPolicy ?? (open ? 'RequireDualStack' : 'SingleStack');
  const wrong = clusterAddressErrors({ spec: { ...spec, ipFamilyPolicy } });
  if (wrong.length > 0) return { errors: wrong };
  const clusterIPs =
    ipFamilyPolicy === 'SingleStack' && same(old?.clusterIPs, spec.clusterIPs) ? spec.clusterIPs?.slice(0, 1) : spec.clusterIPs;
  const given =
    ipFamilyPolicy === 'SingleStack' && same(old?.ipFamilies, spec.ipFamilies)
      ? (spec.ipFamilies ?? []).slice(0, 1)
      : (spec.ipFamilies ?? []);
  const { errors, families } = inferred(ipFamilyPolicy, clusterIPs ?? [], given, spec, old);
  if (errors.length > 0) return { errors };
  // A headless service without a selector may have endpoints of any family, so it gets both.
  const ipFamilies = open ? opened(families, ipFamilyPolicy) : families.length === 0 ? [OURS] : families;
  const missing = open ? [] : unserved(ipFamilies, ipFamilyPolicy);
  return missing.length > 0
    ? { errors: missing }
    : { families: { ipFamilies, ipFamilyPolicy, ...(clusterIPs === undefined ? {} : { clusterIPs }) } };
}

/** Returns the given families, extended by those of further addresses. */
function inferred(policy: string, addresses: readonly string[], given: readonly string[], spec: ServiceSpec, old: ServiceSpec | undefined) {
  const errors: FieldError[] = [];
  if (policy === 'SingleStack') {
    const other = "must be 'RequireDualStack' or 'PreferDualStack' when multiple";
    if (addresses.length === 2) errors.push(invalid('spec.ipFamilyPolicy', policy, `${other} cluster IPs are specified`));
    if (given.length === 2) errors.push(invalid('spec.ipFamilyPolicy', policy, `${other} IP families are specified`));
  } else {
    if (isReduced(old?.clusterIPs, spec.clusterIPs))
      errors.push(invalid('spec.ipFamilyPolicy', policy, "must be 'SingleStack' to release the secondary cluster IP"));
    if (isReduced(old?.ipFamilies, spec.ipFamilies))
      errors.push(invalid('spec.ipFamilyPolicy', policy, "must be 'SingleStack' to release the secondary IP family"));
  }
  const families = [...given];
  for (const [at, address] of addresses.entries()) {
    if (address === 'None') break;
    if (at < families.length) continue;
    const family = familyOf(address);
    if (family === OURS) families.push(family);
    else errors.push(invalid(`spec.clusterIPs[${at}]`, shownAddresses(addresses), `${family} is not configured on this cluster`));
  }
  return { errors, families };
}

function opened(families: readonly string[], policy: string): readonly string[] {
  const [first = OURS] = families;
  return families.length > 1 || policy === 'SingleStack'
    ? families.length === 0
      ? [first]
      : families
    : [first, first === 'IPv4' ? 'IPv6' : 'IPv4'];
}

function unserved(families: readonly string[], policy: string): readonly FieldError[] {
  const errors =
    policy === 'RequireDualStack' ? [invalid('spec.ipFamilyPolicy', policy, 'this cluster is not configured for dual-stack services')] : [];
  return [
    ...errors,
    ...families.flatMap((family, at) =>
      family === OURS ? [] : [invalid(`spec.ipFamilies[${at}]`, family, 'not configured on this cluster')],
    ),
  ];
}

const same = (a: readonly string[] | undefined, b: readonly string[] | undefined): boolean =>
  a !== undefined && a.length === b?.length && a.every((one, at) => one === b[at]);
/** Whether the second of two items was removed and the first kept. */
const isReduced = (before: readonly string[] | undefined, after: readonly string[] | undefined): boolean =>
  before?.length === 2 && after?.length === 1 && before[0] === after[0];
