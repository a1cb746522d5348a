/** Forks of runs: "what if?" as a scenario with the steps up to a moment of a run, then a different one. */
export { beforeFork, forkAt, repeatsEntries, unasked, type Fork, type ForkMoment, type ForkOptions } from './fork.ts';
export { readForkStep, TYPED_VERBS, type ForkAction } from './read-step.ts';
