/** Validation of Endpoints. */
import type { Infer } from '../../../schema/shape/index.ts';
import {
  append,
  isDns1123Label,
  isDns1123Subdomain,
  isQualifiedName,
  isValidIp,
  isValidPortNumber,
  validateNonSpecialIp,
} from '../../../schema/values/index.ts';
import { type FieldError, invalid, validateOnce, type KindContext, notSupported, required } from '../../machinery/index.ts';
import type { endpointAddress, endpointPort, Endpoints, Subset } from './shape.ts';

const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];
type Address = Infer<typeof endpointAddress>;

function addressErrors({ ip, hostname, nodeName }: Address, field: string): FieldError[] {
  const errors: FieldError[] = isValidIp(ip).map((problem) => invalid(`${field}.ip`, ip, problem));
  if (hostname !== undefined)
    append(
      errors,
      isDns1123Label(hostname).map((problem) => invalid(`${field}.hostname`, hostname, problem)),
    );
  if (nodeName !== undefined)
    append(
      errors,
      isDns1123Subdomain(nodeName).map((problem) => invalid(`${field}.nodeName`, nodeName, problem)),
    );
  return [...errors, ...validateNonSpecialIp(ip, `${field}.ip`)];
}

function portErrors({ name, port, protocol, appProtocol }: Infer<typeof endpointPort>, mustBeNamed: boolean, field: string): FieldError[] {
  const errors: FieldError[] = [];
  if (mustBeNamed && name === undefined) errors.push(required(`${field}.name`));
  else if (name !== undefined)
    append(
      errors,
      isDns1123Label(name).map((problem) => invalid(`${field}.name`, name, problem)),
    );
  append(
    errors,
    isValidPortNumber(port).map((problem) => invalid(`${field}.port`, port, problem)),
  );
  if (!PROTOCOLS.includes(protocol)) errors.push(notSupported(`${field}.protocol`, protocol, PROTOCOLS));
  if (appProtocol !== undefined)
    append(
      errors,
      isQualifiedName(appProtocol).map((problem) => invalid(`${field}.appProtocol`, appProtocol, problem)),
    );
  return errors;
}

function subsetErrors({ addresses = [], notReadyAddresses = [], ports = [] }: Subset, field: string, context: KindContext): FieldError[] {
  const check = (address: Address, at: string): void => {
    append(
      errors,
      validateOnce(address, context, () => addressErrors(address, at)),
    );
  };
  const errors: FieldError[] = [];
  if (addresses.length === 0 && notReadyAddresses.length === 0)
    errors.push(required(field, 'must specify `addresses` or `notReadyAddresses`'));
  for (const [at, address] of addresses.entries()) check(address, `${field}.addresses[${at}]`);
  for (const [at, address] of notReadyAddresses.entries()) check(address, `${field}.notReadyAddresses[${at}]`);
  for (const [at, port] of ports.entries()) append(errors, portErrors(port, ports.length > 1, `${field}.ports[${at}]`));
  return errors;
}

export const subsetsErrors = (object: Endpoints, context: KindContext): FieldError[] =>
  (object.subsets ?? []).flatMap((subset, at) => subsetErrors(subset, `subsets[${at}]`, context));
