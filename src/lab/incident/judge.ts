/** Runs an incident, and says where the run and the log part. */
import type { Definitions } from '../definitions/index.ts';
import { createComparison, type Difference, isWrittenByCluster } from '../invariants/index.ts';
import type { Scenario } from '../scenario/index.ts';
import { simulate, type Run } from '../simulation/index.ts';
import type { Entry } from '../trace/index.ts';

/** A difference, with the reason of the run's write where its author gave one. */
export interface Parting extends Difference {
  readonly why?: string;
}

export interface Judged {
  readonly run: Run;
  /** How many recorded writes the run made in time. */
  readonly met: number;
  /** In the order of their times. */
  readonly partings: readonly Parting[];
}

/** Reasons of decisions are kept for so many. */
const MOST_REASONS = 20_000;
const MOST_PARTINGS = 10_000;

/** Runs the scenario of an incident without its own comparison, and collects every difference. */
export function judgeIncident(scenario: Scenario, options: { readonly seed?: number; readonly with?: Definitions } = {}): Judged {
  const { recorded, ...plain } = scenario;
  const comparison = createComparison(recorded ?? { writes: [] });
  const partings: Parting[] = [];
  const reasons = new Map<number, string>();
  const found = (differences: readonly Difference[], entry?: Entry): void => {
    const why = entry?.causes.map((cause) => reasons.get(cause)).find((each) => each !== undefined);
    for (const each of differences) if (partings.length < MOST_PARTINGS) partings.push({ ...each, ...(why === undefined ? {} : { why }) });
  };
  const run = simulate(plain, {
    ...options,
    onEntry(entry) {
      if (entry.type === 'reconcile' && entry.writes > 0) {
        if (reasons.size >= MOST_REASONS) reasons.clear();
        reasons.set(entry.id, entry.why);
      }
      if (entry.type !== 'write') return;
      const atMs = entry.at - plain.startAt;
      found(comparison.overdue(atMs));
      if (isWrittenByCluster(entry.controller, entry.actor))
        found(comparison.saw(entry.change, atMs, entry.controller ?? entry.actor), entry);
    },
  });
  found(comparison.overdue(run.lengthMs));
  return { run, met: comparison.met, partings: partings.sort((a, b) => a.atMs - b.atMs) };
}
