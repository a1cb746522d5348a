/** Clients outside the cluster by name, what faults do to them, and what the trace knows of what they were shown. */
export { createClientFaults, type ClientFaults, type ClientEvent } from './client-faults.ts';
export { identifier } from './identify.ts';
