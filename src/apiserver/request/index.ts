/** Requests and responses as values, the resource of a request, refusals with upstream's texts, and the metadata that the server owns. */
export {
  type ApiRequest,
  type ApiResponse,
  type Author,
  type DeleteOptions,
  type Envelope,
  envelopeOf,
  type ObjectList,
  type Preconditions,
  type User,
  type WatchRequest,
} from './request.ts';
export {
  alreadyExists,
  badRequest,
  causeOf,
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
export { fillForCreate, fillForUpdate, inOrder, stamped, withMembers } from './metadata.ts';
export { type Resource, resourceOf } from './resource.ts';
export { sameValue, storeKey } from '../machinery/index.ts';
