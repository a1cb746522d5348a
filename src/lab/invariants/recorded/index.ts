/** What happened to objects, without drawn names, and the comparison of a run with the record of a real cluster. */
export { classOf, createComparison, describeDifference, type Difference, isWrittenByCluster } from './comparison.ts';
export { type Facts as ObjectFacts, factsOf, LEFT_OUT, newFacts, subjectOf } from './facts.ts';
export { recordedInvariant } from './invariant.ts';
