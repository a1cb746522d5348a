/**
 * Choices: faults at choice points of a run. The address of a point has stable names, a fault is injected there, and a
 * scenario with its choices is the same run everywhere.
 */
export { sortOf, whoseOf, type Point } from './address.ts';
export { askIn, listening, NO_CHOICES, replaying, unusedOf, type Chooser } from './strategy.ts';
export { choiceText, faultKinds, kindOf, LONGEST_FAULT_MS, SOMEBODY, type FaultKind, type Sort } from '../faults/index.ts';
