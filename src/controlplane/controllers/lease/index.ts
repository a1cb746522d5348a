/**
 * Leader election over a Lease: the rules (`rules.ts`), pure and told in instants, and the elector that a process runs by them
 * (`elector.ts`). Any process can have one: see `ProcessSpec.elector`.
 */
export { elector, LEADER_ELECTION, type ElectorOptions } from './elector.ts';
export {
  candidateWaitMs,
  DEFAULT_ELECTION,
  look,
  released,
  tryAcquireOrRenew,
  type Attempt,
  type Clocks,
  type ElectionSettings,
  type LeaseSpec,
  type Seen,
} from './rules.ts';
