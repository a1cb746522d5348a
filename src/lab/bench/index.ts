/**
 * The bench on which somebody's own controllers run: what they throw, answer or write that cannot be becomes a finding with a place, and
 * what they hand over is frozen.
 */
export { offBench, onBench } from './bench.ts';
export { faultOnBench, invariantOnBench } from './judges.ts';
export { noteAsync, refuseModule } from './host.ts';
export type { ControllerFault } from './fault.ts';
export { definedAt, defineController, type Locate, placeOfError } from './places.ts';
