/** The exit code of several runs: what broke weighs more than what did not settle. */
import type { Verdict } from '../../../lab/simulation/index.ts';
import { EXIT } from '../exit.ts';

export const exitCodeOf = (verdicts: readonly Verdict[]): number =>
  verdicts.includes('broken') ? EXIT.broken : verdicts.includes('unsettled') ? EXIT.unsettled : EXIT.held;
