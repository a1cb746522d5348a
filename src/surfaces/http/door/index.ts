/** The door: clients outside the cluster by name, what faults do to them, and what the trace knows of what they were shown. */
export { createDoor, type Door, type DoorEvent } from './door.ts';
export { identifier, type Identify } from './identify.ts';
