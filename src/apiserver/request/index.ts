/** Requests and responses as values, the resource of a request, refusals with upstream's texts, and the metadata that the server owns. */
export * from './request.ts';
export * from './errors.ts';
export * from './metadata.ts';
export { sameValue, storeKey } from '../machinery/index.ts';
