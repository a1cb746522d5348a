/** Replays recorded cases one by one and returns how each compares. */
import { compare } from './compare.ts';
import type { Deviation } from './deviation.ts';
import { verdictOf } from './deviations.ts';
import { elections } from './elections.ts';
import { CannotReplay } from './paths.ts';
import { readNotes } from './notes.ts';
import { inOrder, type RecordedCase, type TraceLine } from './recording.ts';
import { signature, type Signature } from './signature.ts';
import { withOurHashes } from './template-names.ts';
import { isScenario, toScenario, type ScenarioDocument } from './to-scenario.ts';
import { viewOf } from './view.ts';

export interface CaseRun {
  /** Every change of an object. */
  readonly lines: readonly TraceLine[];
  /** Steps whose result differs from the recording: refused or accepted requests. */
  readonly failures: readonly string[];
}

export type RunCase = (scenario: ScenarioDocument) => CaseRun;

export interface CaseResult {
  readonly name: string;
  /** `skipped`: the case is about processes only; `crashed`: the run itself failed. */
  readonly verdict: 'ok' | 'deviation' | 'differs' | 'skipped' | 'crashed';
  readonly differences: readonly string[];
  /** Why it deviates, was skipped or crashed. */
  readonly reason?: string;
  /** Notes of the recording that were not used. */
  readonly unread?: readonly string[];
}

export interface SuiteOptions {
  /** The name of the recordings in deviations: `v1.24`, `v1.24-gates`. */
  readonly folder: string;
  readonly gates: boolean;
  readonly deviations?: readonly Deviation[];
}

/** Replays one case. */
export function replay(given: RecordedCase, run: RunCase, { folder, gates, deviations }: SuiteOptions): CaseResult {
  const { name } = given;
  const recorded = withOurHashes(given);
  if (!isScenario(recorded)) return { name, verdict: 'skipped', differences: [], reason: 'it has no action that a scenario can express' };
  let simulated: CaseRun;
  try {
    simulated = run(toScenario(recorded, { gates }));
  } catch (error) {
    return {
      name,
      verdict: 'crashed',
      differences: [],
      reason: error instanceof CannotReplay ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error),
    };
  }
  const view = viewOf(recorded);
  // A recording without leases has no leader elections.
  const sawLeases = recorded.trace.some(({ object: { kind } }) => kind === 'Lease');
  const signatureOf = (lines: readonly TraceLine[]): Signature => {
    const { milestones, ...rest } = signature(view(inOrder(lines)));
    return { ...rest, milestones: [...milestones, ...(sawLeases ? elections(inOrder(lines)) : [])] };
  };
  const differences = [
    ...simulated.failures.map((failure) => `step    ${failure}`),
    ...compare(signatureOf(recorded.trace), signatureOf(simulated.lines)),
  ];
  const unread = readNotes(recorded.actions.actions).ignored;
  return { name, differences, ...verdictOf(folder, name, differences, deviations), ...(unread.length === 0 ? {} : { unread }) };
}

/** Counts results: `passed` includes expected deviations; skipped cases count as neither. */
export function tally(results: readonly CaseResult[]): { readonly passed: number; readonly failed: number } {
  const passed = results.filter(({ verdict }) => verdict === 'ok' || verdict === 'deviation').length;
  const skipped = results.filter(({ verdict }) => verdict === 'skipped').length;
  return { passed, failed: results.length - passed - skipped };
}

/** A result as lines, with at most `most` differences. */
export function formatResult(folder: string, { name, verdict, differences, reason, unread = [] }: CaseResult, most = 5): string {
  const count = differences.length === 0 ? '' : `  ${differences.length} ${differences.length === 1 ? 'difference' : 'differences'}`;
  const lines = [`${verdict.padEnd(9)} ${folder}/${name}${count}${reason === undefined ? '' : `: ${reason}`}`];
  if (verdict === 'differs') {
    lines.push(...differences.slice(0, most).map((difference) => `            ${difference}`));
    if (differences.length > most) lines.push(`            … ${differences.length - most} more (--all shows them)`);
    lines.push(...unread.map((note) => `            the note was not used: ${note}`));
  }
  return lines.join('\n');
}
