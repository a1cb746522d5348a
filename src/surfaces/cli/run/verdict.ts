/** The exit code of several runs: a broken run takes precedence over one that did not settle. */
import type { Verdict } from '../../../lab/simulation/index.ts';
import { EXIT } from '../exit.ts';

export const exitCodeOf = (verdicts: readonly Verdict[]): number =>
  verdicts.includes('broken') ? EXIT.broken : verdicts.includes('unsettled') ? EXIT.unsettled : EXIT.held;
