/**
 * The sandbox of users' controllers: what they throw, return or write wrongly becomes a finding with a place, and what they return is
 * frozen.
 */
export { offBench, onBench } from './sandbox.ts';
export { faultOnBench, invariantOnBench } from './judges.ts';
export { noteAsync, refuseModule } from './host.ts';
export type { ControllerFault } from './fault.ts';
export { definedAt, defineController, type Locate, placeOfError } from './places.ts';
