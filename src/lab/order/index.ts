/**
 * "This first": the pending events at a moment of a run, and the choices that put one of them first, or later. Within an instant every
 * order is possible; a scenario with those choices is the other order, as a file.
 */
export { upcomingOf } from './upcoming.ts';
export { letPass, type Held } from './pass.ts';
export { typedChoices, type Delay } from './typed.ts';
export { waitingAt, type Waiting } from './waiting.ts';
