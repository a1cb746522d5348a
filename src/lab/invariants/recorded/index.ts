/** What happened to objects, without drawn names, and the comparison of a run with the record of a real cluster. */
export { classOf, createComparison, describeDifference, type Difference } from './comparison.ts';
export { type Facts as ObjectFacts, factsOf, identityIn, LEFT_OUT, newFacts } from './facts.ts';
export { createSubjects, type Identity, type Subjects } from './subjects.ts';
export { recordedInvariant } from './invariant.ts';
