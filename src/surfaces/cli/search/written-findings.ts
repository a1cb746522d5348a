/** Findings in the form in which they are reported and written: reduced, or as found if there was no time. */
import type { Catch, Finding, Ground } from '../../../lab/search/index.ts';
import type { Found } from './files.ts';
import type { Reported } from './report-lines.ts';

/** A finding without its file. */
export type Counted = Found & Pick<Reported, 'seen' | 'firstRun' | 'shrinks'>;

export const smallOne = ({ cause, scenario, choices, words, seen, firstRun, shrinks }: Finding): Counted => ({
  claim: cause.claim,
  scenario,
  choices,
  words,
  seen,
  firstRun,
  shrinks,
});

export const rawOne = ({ cause, choices, seen, firstRun }: Catch, { scenario }: Ground): Counted => ({
  claim: cause.claim,
  scenario,
  choices,
  words: [...cause.message.split('\n'), `(${choices.length} choices, of which some may not be needed)`],
  seen,
  firstRun,
});
