/**
 * Order of pending events: the pending events at a moment of a run, and the choices that deliver one of them first, or later. Within an
 * instant every order is possible; a scenario with those choices replays the other order.
 */
export { upcomingOf } from './upcoming.ts';
export { letPass, type Held } from './pass.ts';
export { typedChoices, type Delay } from './typed.ts';
export { waitingAt, type Waiting } from './waiting.ts';
