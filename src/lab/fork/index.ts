/** What if? A scenario of its own: what was done up to a moment of a run, then something else, and on from there. */
export { beforeFork, forkAt, type Fork, type ForkMoment, type ForkOptions } from './fork.ts';
export { readForkStep, TYPED_VERBS, type ForkAction } from './read-step.ts';
