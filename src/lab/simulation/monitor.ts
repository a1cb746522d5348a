/** Checks the invariants of a run: passes each write to those that watch its kind, keeps their deadlines, and evaluates all at the end. */
import type { Cluster } from '../../controlplane/cluster.ts';
import type { Change } from '../../apiserver/store/index.ts';
import type { Checker, Facts, Invariant, Violation } from '../invariants/index.ts';
import { pushTo } from '../../schema/values/index.ts';
import type { InvariantResult } from './run.ts';

/** An invariant of a run; one that the scenario names must have been exercised. */
export interface Chosen {
  readonly invariant: Invariant;
  readonly named: boolean;
}

/** A running invariant, with its state. */
export interface Judge extends Chosen {
  readonly checker: Checker;
  readonly broken: boolean;
}

interface Watched extends Judge {
  broken: boolean;
}

/** The message about an invariant that no event of the run could have broken. */
export const NEVER_EXERCISED = 'it was never exercised';

/** The violation of a named invariant that was not exercised, or of a `sometimes` that was not seen. */
const unseen = ({ temporal, description }: Invariant): Violation => ({
  message:
    temporal === 'sometimes'
      ? `it was never seen (${description.replace(/\.$/, '')})`
      : `${NEVER_EXERCISED}: nothing in this run could have broken it (${description.replace(/\.$/, '')})`,
});

export type Monitor = ReturnType<typeof monitor>;

/** Creates a monitor; `report` is called once for each invariant that breaks; `isByWrite`: the last write broke it, not the end of a time. */
export function monitor(
  cluster: Cluster,
  facts: Facts,
  chosen: readonly Chosen[],
  report: (invariant: Invariant, violation: Violation, isByWrite: boolean) => void,
) {
  const watched: Watched[] = chosen.map(({ invariant, named }) => ({ invariant, named, checker: invariant.check(), broken: false }));
  const byKind = new Map<string, Watched[]>();
  for (const one of watched) for (const kind of one.invariant.kinds) pushTo(byKind, kind, one);
  // Invariants for all kinds are last in each list.
  const ofAll = byKind.get('*') ?? [];
  for (const [kind, list] of byKind) if (kind !== '*') list.push(...ofAll);
  const timed = watched.filter(({ checker }) => checker.deadline !== undefined);
  const judge = (one: Watched, violation: Violation | undefined, isByWrite = false): void => {
    if (violation === undefined || one.broken) return;
    one.broken = true;
    report(one.invariant, violation, isByWrite);
  };
  /** The running invariants, whose state is part of the state of a run. */
  const judges: readonly Judge[] = watched;
  return {
    judges,
    /** Checks a change; `controller` made it, in the process or as the user `actor`. */
    onChange(change: Change, controller?: string, actor?: string): void {
      const concerned = byKind.get(change.kind) ?? ofAll;
      for (let at = 0; at < concerned.length; at++) {
        const one = concerned[at];
        if (one?.broken === false)
          judge(one, one.checker.onChange?.(change, facts, controller, actor), one.invariant.temporal === 'always');
      }
    },
    /** Checks deadlines that have passed; called after each step of the kernel. */
    onStep(): void {
      for (const one of timed)
        if (!one.broken && (one.checker.deadline?.() ?? Infinity) <= cluster.now) judge(one, one.checker.onTime?.(facts));
    },
    end(settled: boolean): void {
      for (const one of watched) {
        if (!one.broken) judge(one, one.checker.onEnd?.(facts, settled));
        if (one.named && one.checker.exercised === 0) judge(one, unseen(one.invariant));
      }
    },
    results: (): readonly InvariantResult[] =>
      watched.map(({ invariant: { name, temporal }, checker, broken }) => ({
        name,
        temporal,
        held: !broken,
        exercised: checker.exercised,
      })),
  };
}
