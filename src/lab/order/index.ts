/**
 * Order of pending events: the pending events at a moment of a run, and the choices that deliver one of them first, or later. Within an
 * instant every order is possible; a scenario with those choices replays the other order.
 */
export { upcomingOf, letPass, type Held, typedChoices, type Delay, waitingAt, type Waiting } from './waiting.ts';
