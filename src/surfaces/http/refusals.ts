/** Refusals of the HTTP layer. Models: pkg/endpoints/handlers/negotiation errors.go, responsewriters, go-restful. */
import { failure, type Refusal } from '../../apiserver/request/index.ts';
import { quote } from '../../schema/values/index.ts';

type Details = Parameters<typeof failure>[0]['details'];

const refusing =
  (code: number, reason: string) =>
  (message: string, details?: Details): Refusal =>
    failure({ code, reason, message, ...(details === undefined ? {} : { details }) });

export const badRequest = refusing(400, 'BadRequest');
export const forbidden = refusing(403, 'Forbidden');
export const notFound = refusing(404, 'NotFound');
export const unlike = refusing(406, 'NotAcceptable');
export const conflict = refusing(409, 'Conflict');
const beyond = refusing(413, 'RequestEntityTooLarge');
export const unsupportedType = refusing(415, 'UnsupportedMediaType');
export const notSupported = refusing(501, 'NotImplemented');

export const unauthorized = (): Refusal => refusing(401, 'Unauthorized')('Unauthorized');

export const methodNotAllowed = (): Refusal =>
  refusing(405, 'MethodNotAllowed')('the server does not allow this method on the requested resource', {});

export const unknownResource = (): Refusal => notFound('the server could not find the requested resource', {});

export function missing(resource: string, group: string, name: string): Refusal {
  const details = { name, ...(group === '' ? {} : { group }), kind: resource };
  return notFound(`${qualified(resource, group)} ${quote(name)} not found`, details);
}

export const qualified = (resource: string, group: string): string => (group === '' ? resource : `${resource}.${group}`);

/** No route produces an accepted type. */
export const notAcceptable = (): Refusal => unlike('406: Not Acceptable', {});

/** The route produces an accepted type, but not for this reply. */
export const onlyAccepted = (types: readonly string[]): Refusal =>
  unlike(`only the following media types are accepted: ${types.join(', ')}`);

/** The type of a patch is unknown. */
export const unknownPatchType = (): Refusal => unsupportedType('415: Unsupported Media Type', {});

const BODY_TYPES = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'];

export const unknownBodyType = (types: readonly string[] = BODY_TYPES): Refusal =>
  unsupportedType(`the body of the request was in an unknown format - accepted media types include: ${types.join(', ')}`);

export const tooLarge = (limit: number): Refusal => beyond(`Request entity too large: limit is ${limit}`);

/** Not of upstream, which has no limit of values. */
export const tooManyValues = (limit: number): Refusal =>
  beyond(`Request entity too large: limit is ${limit} values (members and items); divide it into several objects`);

/** Not of upstream, which accepts as much YAML as JSON. */
export const yamlTooLarge = (limit: number): Refusal => beyond(`Request entity too large: limit is ${limit} for YAML; send it as JSON`);
