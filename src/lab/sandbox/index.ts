/**
 * The sandbox of users' controllers: exceptions, invalid return values and invalid writes become findings with a position, and returned
 * values are frozen.
 */
export { outOfSandbox, inSandbox, faultInSandbox, invariantInSandbox, type ControllerFault } from './sandbox.ts';
export { noteAsync, refuseModule } from './host.ts';
export { definedAt, defineController, type Locate, placeOfError } from './places.ts';
