/**
 * The sandbox of users' controllers: exceptions, invalid return values and invalid writes become findings with a position, and returned
 * values are frozen.
 */
export { outOfSandbox, inSandbox } from './sandbox.ts';
export { faultInSandbox, invariantInSandbox } from './judges.ts';
export { noteAsync, refuseModule } from './host.ts';
export type { ControllerFault } from './fault.ts';
export { definedAt, defineController, type Locate, placeOfError } from './places.ts';
