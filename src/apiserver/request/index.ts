/** Requests and responses as values, the resource of a request, refusals with upstream's texts, and the metadata that the server owns. */
export { envelopeOf, type Author, type Envelope } from './envelope.ts';
export { differsOutside } from './equal.ts';
export {
  alreadyExists,
  badRequest,
  conflict,
  conflictOnKind,
  expired,
  failure,
  forbidden,
  internal,
  internalError,
  invalid,
  invalidAs,
  methodNotAllowed,
  MODIFIED,
  notFound,
  Refusal,
  tooLargeRevision,
  tooManyRequests,
  unknownResource,
} from './errors.ts';
export { causeOf } from './field-error-text.ts';
export { fillForCreate, fillForUpdate, stamped } from './metadata.ts';
export { inOrder, withMembers } from './order.ts';
export type { ApiRequest, ApiResponse, DeleteOptions, ObjectList, Preconditions, User, WatchRequest } from './request.ts';
export { type Resource, resourceOf } from './resource.ts';
export { sameValue, storeKey } from '../machinery/index.ts';
