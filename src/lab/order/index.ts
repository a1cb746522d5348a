/**
 * "This first": what waits at a moment of a run, and which choices make one of it go first, or later. Within an instant every order is
 * possible; a scenario with those choices is the other order, as a file.
 */
export { upcomingOf } from './upcoming.ts';
export { letPass, type Held } from './pass.ts';
export { typedChoices, type Delay } from './typed.ts';
export { waitingAt, type Waiting } from './waiting.ts';
