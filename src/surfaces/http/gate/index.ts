/** Who may ask at all, before anything is read: the server's own names, whose page it is, what a body says it is. */
export { createGate, type Gate } from './gate.ts';
export { ownHosts } from './hosts.ts';
export { readOrigin } from './origins.ts';
