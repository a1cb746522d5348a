/** What happened to objects, without drawn names, and the comparison of a run with the record of a real cluster. */
export { classOf, createComparison, describeDifference, type Difference, recordedInvariant } from './comparison.ts';
export {
  createSubjects,
  type Facts as ObjectFacts,
  factsOf,
  idOf,
  type Identity,
  identityIn,
  LEFT_OUT,
  newFacts,
  type Subjects,
} from './facts.ts';
