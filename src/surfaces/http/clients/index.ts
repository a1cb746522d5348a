/** Clients outside the cluster by name, what faults do to them, and what the trace knows of what they were shown. */
export { createClientFaults, type ClientFaults } from './client-faults.ts';
export type { ClientEvent } from './events.ts';
export { identifier } from './identify.ts';
