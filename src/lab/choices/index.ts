/**
 * Choices: faults at choice points of a run. The address of a point has stable names, a fault is injected there, and a
 * scenario with its choices is the same run everywhere. Adding a fault: a file and a line in `faults/`, its members in the scenario format.
 */
export { sortOf, whoseOf, type Point, type Sort } from './address.ts';
export { askIn, type Chooser, type Taken } from './strategy.ts';
export type { FaultKind } from './fault.ts';
export { choiceText, faultKinds, kindOf } from './registry.ts';
export { replaying, unusedOf } from './replay.ts';
