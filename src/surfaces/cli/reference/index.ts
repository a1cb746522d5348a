/** The reference of the scenario format: generated from the table that reads files, with examples from scenarios that run. */
export { exampleScenarios } from './examples/index.ts';
export { exampleOf } from './find.ts';
export { referenceLines } from './render.ts';
