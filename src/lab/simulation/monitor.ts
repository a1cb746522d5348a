/** Watches the invariants of a run: hands each write to those that want its kind, keeps their deadlines, and asks all at the end. */
import type { Cluster } from '../../controlplane/cluster.ts';
import type { Change } from '../../apiserver/store/index.ts';
import type { Checker, Facts, Invariant, Violation } from '../invariants/index.ts';
import type { InvariantResult } from './run.ts';

/** An invariant that a run is held against; one that the scenario names must have been exercised. */
export interface Chosen {
  readonly invariant: Invariant;
  readonly named: boolean;
}

/** An invariant at work: what it has come to. */
export interface Judge extends Chosen {
  readonly checker: Checker;
  readonly broken: boolean;
}

interface Watched extends Judge {
  broken: boolean;
}

/** How it is told of an invariant that nothing could have broken. */
export const NEVER_EXERCISED = 'it was never exercised';

/** What is wrong with a named invariant that nothing could have broken, or nobody has seen. */
const unseen = ({ temporal, description }: Invariant): Violation => ({
  message:
    temporal === 'sometimes'
      ? `it was never seen (${description.replace(/\.$/, '')})`
      : `${NEVER_EXERCISED}: nothing in this run could have broken it (${description.replace(/\.$/, '')})`,
});

export interface Monitor {
  /** A change, the controller that made it, and its process or person. */
  onChange(change: Change, controller?: string, actor?: string): void;
  /** Call after each step of the kernel: deadlines that have come are checked. */
  onStep(): void;
  end(settled: boolean): void;
  results(): readonly InvariantResult[];
  /** Who judges, for whoever tells moments of a run apart. */
  readonly judges: readonly Judge[];
}

/** A monitor; `report` is called once for each invariant that breaks. */
export function monitor(
  cluster: Cluster,
  facts: Facts,
  chosen: readonly Chosen[],
  report: (invariant: Invariant, violation: Violation) => void,
): Monitor {
  const watched: Watched[] = chosen.map(({ invariant, named }) => ({ invariant, named, checker: invariant.check(), broken: false }));
  const byKind = new Map<string, Watched[]>();
  for (const one of watched) {
    for (const kind of one.invariant.kinds) {
      const list = byKind.get(kind);
      if (list === undefined) byKind.set(kind, [one]);
      else list.push(one);
    }
  }
  // Those that want every kind come last in each list.
  const ofAll = byKind.get('*') ?? [];
  for (const [kind, list] of byKind) if (kind !== '*') list.push(...ofAll);
  const timed = watched.filter(({ checker }) => checker.deadline !== undefined);
  const judge = (one: Watched, violation: Violation | undefined): void => {
    if (violation === undefined || one.broken) return;
    one.broken = true;
    report(one.invariant, violation);
  };
  return {
    judges: watched,
    onChange(change, controller, actor) {
      for (const one of byKind.get(change.kind) ?? ofAll)
        if (!one.broken) judge(one, one.checker.onChange?.(change, facts, controller, actor));
    },
    onStep() {
      for (const one of timed)
        if (!one.broken && (one.checker.deadline?.() ?? Infinity) <= cluster.now) judge(one, one.checker.onTime?.(facts));
    },
    end(settled) {
      for (const one of watched) {
        if (!one.broken) judge(one, one.checker.onEnd?.(facts, settled));
        if (one.named && one.checker.exercised === 0) judge(one, unseen(one.invariant));
      }
    },
    results: () =>
      watched.map(({ invariant, checker, broken }) => ({
        name: invariant.name,
        temporal: invariant.temporal,
        held: !broken,
        exercised: checker.exercised,
      })),
  };
}
