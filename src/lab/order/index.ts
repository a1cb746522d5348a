/** The pending events at a moment of a run, and the choices that deliver one of them first, or later. */
export { upcomingOf, letPass, type Held, typedChoices, type Delay, waitingAt, type Waiting } from './waiting.ts';
