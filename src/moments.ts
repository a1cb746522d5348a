/** Runs that can go back: the entry of the build with the write barrier (`dist/moments.cjs`). */
export { replayMoments, stageMoments, type Moment, type MomentRun, type Replays } from './lab/moments/index.ts';
export { exploringMoments, trialsOf } from './lab/search/index.ts';
