/** Runs that can go back to any of their moments, and go on from there, also as another scenario. Only the build with the write barrier has them. */
export { stageMoments, type Moment, type MomentRun } from './run.ts';
export { replayMoments, type Replays } from './replays.ts';
