/** Checks before a request is read: the host name of the server, the origin of the page, the type of the body. */
export { createGate, type Gate } from './gate.ts';
export { serverHosts } from './hosts.ts';
export { readOrigin } from './origins.ts';
