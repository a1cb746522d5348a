/** Validation of EndpointSlices. Models: v1.24 pkg/apis/discovery/validation. */
import {
  append,
  isDns1123Label,
  isDns1123Subdomain,
  isQualifiedName,
  isValidLabelValue,
  validateFullyQualifiedDomainName,
  validateIpv4,
  validateIpv6,
  validateNonSpecialIp,
} from '../../../schema/values/index.ts';
import {
  duplicate,
  type FieldError,
  immutableText,
  invalid,
  validateOnce,
  type KindContext,
  notSupported,
  required,
  sameValue,
  subdomainName,
  tooMany,
  validateMeta,
} from '../../machinery/index.ts';
import type { Endpoint, EndpointSlice } from './shape.ts';

const MAX_ENDPOINTS = 1000;
const MAX_ADDRESSES = 100;
const MAX_PORTS = 20_000;
const MAX_ZONES = 8;
const ADDRESS_TYPES = ['FQDN', 'IPv4', 'IPv6'];
const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];

function addressErrors(address: string, type: string, field: string): readonly FieldError[] {
  if (type === 'IPv4') return [...validateIpv4(address, field), ...validateNonSpecialIp(address, field)];
  if (type === 'IPv6') return [...validateIpv6(address, field), ...validateNonSpecialIp(address, field)];
  return type === 'FQDN' ? validateFullyQualifiedDomainName(address, field) : [];
}

function endpointErrors({ addresses, nodeName, hostname, hints }: Endpoint, type: string, field: string): FieldError[] {
  const errors: FieldError[] = [];
  if (addresses === null || addresses.length === 0) errors.push(required(`${field}.addresses`, 'must contain at least 1 address'));
  else if (addresses.length > MAX_ADDRESSES) errors.push(tooMany(`${field}.addresses`, addresses.length, MAX_ADDRESSES));
  for (const [at, address] of (addresses ?? []).entries()) append(errors, addressErrors(address, type, `${field}.addresses[${at}]`));
  if (nodeName !== undefined)
    append(
      errors,
      isDns1123Subdomain(nodeName).map((problem) => invalid(`${field}.nodeName`, nodeName, problem)),
    );
  if (hostname !== undefined)
    append(
      errors,
      isDns1123Label(hostname).map((problem) => invalid(`${field}.hostname`, hostname, problem)),
    );
  const zones = hints?.forZones ?? [];
  if (zones.length > MAX_ZONES) return [...errors, tooMany(`${field}.hints.forZones`, zones.length, MAX_ZONES)];
  for (const [at, { name }] of zones.entries()) {
    const path = `${field}.hints.forZones[${at}].name`;
    if (zones.findIndex((other) => other.name === name) < at) errors.push(duplicate(path, name));
    append(
      errors,
      isValidLabelValue(name).map((problem) => invalid(path, name, problem)),
    );
  }
  return errors;
}

function endpointsErrors(endpoints: readonly Endpoint[], type: string, context: KindContext): FieldError[] {
  if (endpoints.length > MAX_ENDPOINTS) return [tooMany('endpoints', endpoints.length, MAX_ENDPOINTS)];
  return endpoints.flatMap((endpoint, at) =>
    validateOnce(endpoint, context, () => endpointErrors(endpoint, type, `endpoints[${at}]`), type),
  );
}

function portsErrors(ports: NonNullable<EndpointSlice['ports']>): FieldError[] {
  if (ports.length > MAX_PORTS) return [tooMany('ports', ports.length, MAX_PORTS)];
  const errors: FieldError[] = [];
  const names = new Set<string>();
  for (const [at, { name, protocol, appProtocol }] of ports.entries()) {
    const field = `ports[${at}]`;
    if (name !== '')
      append(
        errors,
        isDns1123Label(name).map((problem) => invalid(`${field}.name`, name, problem)),
      );
    if (names.has(name)) errors.push(duplicate(`${field}.name`, name));
    names.add(name);
    if (!PROTOCOLS.includes(protocol)) errors.push(notSupported(`${field}.protocol`, protocol, PROTOCOLS));
    if (appProtocol !== undefined)
      append(
        errors,
        isQualifiedName(appProtocol).map((problem) => invalid(`${field}.appProtocol`, appProtocol, problem)),
      );
  }
  return errors;
}

export function validateEndpointSlice(object: EndpointSlice, context: KindContext): FieldError[] {
  const { addressType, endpoints, ports } = object;
  const errors = validateMeta(object, true, subdomainName, context);
  if (addressType === '') errors.push(required('addressType'));
  else if (!ADDRESS_TYPES.includes(addressType)) errors.push(notSupported('addressType', addressType, ADDRESS_TYPES));
  return [...errors, ...endpointsErrors(endpoints ?? [], addressType, context), ...portsErrors(ports ?? [])];
}

export function validateEndpointSliceUpdate(object: EndpointSlice, old: EndpointSlice, context: KindContext): readonly FieldError[] {
  const errors = validateEndpointSlice(object, context);
  const { addressType } = object;
  if (!sameValue(addressType, old.addressType)) errors.push(invalid('addressType', addressType, immutableText));
  return errors;
}
