/** Endpoints: addresses behind a service, the older form. Models: v1.24 core/v1 Endpoints, pkg/registry/core/endpoint. */
import { filled, int32, list, obj, ptr, req, str, type Infer } from '../../schema/index.ts';
import { isDns1123Label, isDns1123Subdomain, isQualifiedName, isValidIp, isValidPortNumber, validateNonSpecialIp } from '../../values/index.ts';
import { ageColumn, nameColumn } from '../columns.ts';
import { defineKind } from '../define-kind.ts';
import type { KindContext } from '../kind.ts';
import { objectReference, typeMeta, type ObjectOf } from '../shapes/meta.ts';
import type { FieldError } from '../status.ts';
import { invalid, notSupported, required } from '../validation/field-errors.ts';
import { subdomainName, validateMeta, validateMetaUpdate } from '../validation/object-meta.ts';
import { sameValue } from '../validation/same-value.ts';

const endpointAddress = obj('EndpointAddress', { ip: req(str()), hostname: str(), nodeName: ptr(str()), targetRef: objectReference }, { mapType: 'atomic' });
const endpointPort = obj('EndpointPort', { name: str(), port: req(int32), protocol: filled(str('Protocol'), 'TCP'), appProtocol: ptr(str()) }, { mapType: 'atomic' });
const endpointSubset = obj('EndpointSubset', { addresses: list(endpointAddress), notReadyAddresses: list(endpointAddress), ports: list(endpointPort) });

export const endpointsSchema = obj('Endpoints', { ...typeMeta, subsets: list(endpointSubset) });
export type Endpoints = ObjectOf<'Endpoints', Infer<typeof endpointsSchema>>;
type Subset = Infer<typeof endpointSubset>;

const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];
function addressErrors({ ip, hostname, nodeName }: Infer<typeof endpointAddress>, field: string): FieldError[] {
  const errors: FieldError[] = isValidIp(ip).map((problem) => invalid(`${field}.ip`, ip, problem));
  if (hostname !== undefined) errors.push(...isDns1123Label(hostname).map((problem) => invalid(`${field}.hostname`, hostname, problem)));
  if (nodeName !== undefined) errors.push(...isDns1123Subdomain(nodeName).map((problem) => invalid(`${field}.nodeName`, nodeName, problem)));
  return [...errors, ...validateNonSpecialIp(ip, `${field}.ip`)];
}

function portErrors({ name, port, protocol, appProtocol }: Infer<typeof endpointPort>, mustBeNamed: boolean, field: string): FieldError[] {
  const errors: FieldError[] = [];
  if (mustBeNamed && name === undefined) errors.push(required(`${field}.name`));
  else if (name !== undefined) errors.push(...isDns1123Label(name).map((problem) => invalid(`${field}.name`, name, problem)));
  errors.push(...isValidPortNumber(port).map((problem) => invalid(`${field}.port`, port, problem)));
  if (!PROTOCOLS.includes(protocol)) errors.push(notSupported(`${field}.protocol`, protocol, PROTOCOLS));
  if (appProtocol !== undefined) errors.push(...isQualifiedName(appProtocol).map((problem) => invalid(`${field}.appProtocol`, appProtocol, problem)));
  return errors;
}

function subsetErrors({ addresses = [], notReadyAddresses = [], ports = [] }: Subset, field: string): FieldError[] {
  const errors: FieldError[] = [];
  if (addresses.length === 0 && notReadyAddresses.length === 0) errors.push(required(field, 'must specify `addresses` or `notReadyAddresses`'));
  for (const [at, address] of addresses.entries()) errors.push(...addressErrors(address, `${field}.addresses[${at}]`));
  for (const [at, address] of notReadyAddresses.entries()) errors.push(...addressErrors(address, `${field}.notReadyAddresses[${at}]`));
  for (const [at, port] of ports.entries()) errors.push(...portErrors(port, ports.length > 1, `${field}.ports[${at}]`));
  return errors;
}

const subsetsErrors = (object: Endpoints): FieldError[] => (object.subsets ?? []).flatMap((subset, at) => subsetErrors(subset, `subsets[${at}]`));

/** At most three, and how many more. */
function summary({ subsets = [] }: Endpoints): string {
  const max = 3;
  const all = subsets.flatMap(({ addresses = [], ports = [] }) => (ports.length === 0 ? addresses.map(({ ip }) => ip) : ports.flatMap(({ port }) => addresses.map(({ ip }) => (ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`)))));
  // Without a ready address there are subsets, but nothing to say of them.
  if (subsets.length === 0) return '<none>';
  return all.slice(0, max).join(',') + (all.length > max ? ` + ${all.length - max} more...` : '');
}

export const endpoints = defineKind<Endpoints>({
  kind: 'Endpoints',
  plural: 'endpoints',
  singular: 'endpoints',
  shortNames: ['ep'],
  groupPrefix: '',
  version: 'v1',
  namespaced: true,
  schema: endpointsSchema,
  allowCreateOnUpdate: true,
  validateName: subdomainName,
  validate: (object, context: KindContext) => [...validateMeta(object, true, subdomainName, context), ...subsetsErrors(object)],
  // Objects from before today's rules may keep what they have.
  validateUpdate: (object, old, context) => [...validateMetaUpdate(object, old, context), ...(sameValue(object['subsets'], old['subsets']) ? [] : subsetsErrors(object))],
  columns: [nameColumn, { name: 'Endpoints', type: 'string', description: 'Sets of addresses and ports that comprise a service.', priority: 0, cell: (object) => summary(object) }, ageColumn],
  models: 'Complete. Upstream: pkg/registry/core/endpoint, pkg/apis/core/validation.',
});
