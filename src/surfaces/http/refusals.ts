/**
 * Refusals of the HTTP layer. Models: apiserver pkg/endpoints/handlers/negotiation errors.go, pkg/endpoints/handlers/responsewriters,
 * go-restful.
 */
import { failure, type Refusal } from '../../apiserver/request/index.ts';

export const badRequest = (message: string): Refusal => failure({ code: 400, reason: 'BadRequest', message });

export const methodNotAllowed = (): Refusal =>
  failure({
    code: 405,
    reason: 'MethodNotAllowed',
    message: 'the server does not allow this method on the requested resource',
    details: {},
  });

export const unknownResource = (): Refusal =>
  failure({ code: 404, reason: 'NotFound', message: 'the server could not find the requested resource', details: {} });

/** No route produces an accepted type. */
export const notAcceptable = (): Refusal => failure({ code: 406, reason: 'NotAcceptable', message: '406: Not Acceptable', details: {} });

/** The route produces an accepted type, but not for this reply. */
export const onlyAccepted = (types: readonly string[]): Refusal =>
  failure({ code: 406, reason: 'NotAcceptable', message: `only the following media types are accepted: ${types.join(', ')}` });

export const unlike = (message: string): Refusal => failure({ code: 406, reason: 'NotAcceptable', message });

/** The type of a patch is unknown. */
export const unknownPatchType = (): Refusal =>
  failure({ code: 415, reason: 'UnsupportedMediaType', message: '415: Unsupported Media Type', details: {} });

const BODY_TYPES = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'];

export const unknownBodyType = (types: readonly string[] = BODY_TYPES): Refusal =>
  failure({
    code: 415,
    reason: 'UnsupportedMediaType',
    message: `the body of the request was in an unknown format - accepted media types include: ${types.join(', ')}`,
  });

export const tooLarge = (limit: number): Refusal =>
  failure({ code: 413, reason: 'RequestEntityTooLarge', message: `Request entity too large: limit is ${limit}` });

/** Not of upstream, which has no limit of values. */
export const tooManyValues = (limit: number): Refusal =>
  failure({
    code: 413,
    reason: 'RequestEntityTooLarge',
    message: `Request entity too large: limit is ${limit} values (members and items); divide it into several objects`,
  });

/** Not of upstream, which accepts as much YAML as JSON. */
export const yamlTooLarge = (limit: number): Refusal =>
  failure({
    code: 413,
    reason: 'RequestEntityTooLarge',
    message: `Request entity too large: limit is ${limit} for YAML; send it as JSON`,
  });

export const unauthorized = (): Refusal => failure({ code: 401, reason: 'Unauthorized', message: 'Unauthorized' });

export const notSupported = (what: string): Refusal => failure({ code: 501, reason: 'NotImplemented', message: what });
