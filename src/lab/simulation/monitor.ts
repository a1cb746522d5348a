/** Watches the invariants of a run: hands each write to those that want its kind, keeps their deadlines, and asks all at the end. */
import type { Cluster } from '../../cluster/cluster.ts';
import type { Change } from '../../cluster/store/index.ts';
import type { Checker, Facts, Invariant, Violation } from '../invariants/invariant.ts';
import type { InvariantResult } from './run.ts';

interface Watched { readonly invariant: Invariant; readonly checker: Checker; broken: boolean }

export interface Monitor {
  onChange(change: Change): void;
  /** Call after each step of the kernel: deadlines that have come are checked. */
  onStep(): void;
  end(settled: boolean): void;
  results(): readonly InvariantResult[];
}

/** A monitor; `report` is called once for each invariant that breaks. */
export function monitor(cluster: Cluster, facts: Facts, invariants: readonly Invariant[], report: (invariant: Invariant, violation: Violation) => void): Monitor {
  const watched: Watched[] = invariants.map((invariant) => ({ invariant, checker: invariant.check(), broken: false }));
  const byKind = new Map<string, Watched[]>();
  for (const one of watched) {
    for (const kind of one.invariant.kinds) {
      const list = byKind.get(kind);
      if (list === undefined) byKind.set(kind, [one]);
      else list.push(one);
    }
  }
  const timed = watched.filter(({ checker }) => checker.deadline !== undefined);
  const judge = (one: Watched, violation: Violation | undefined): void => {
    if (violation === undefined || one.broken) return;
    one.broken = true;
    report(one.invariant, violation);
  };
  return {
    onChange(change) {
      const concerned = byKind.get(change.kind);
      if (concerned === undefined) return;
      for (const one of concerned) if (!one.broken) judge(one, one.checker.onChange?.(change, facts));
    },
    onStep() {
      for (const one of timed) if (!one.broken && (one.checker.deadline?.() ?? Infinity) <= cluster.now) judge(one, one.checker.onTime?.(facts));
    },
    end(settled) { for (const one of watched) if (!one.broken) judge(one, one.checker.onEnd?.(facts, settled)); },
    results: () => watched.map(({ invariant, checker, broken }) => ({ name: invariant.name, temporal: invariant.temporal, held: !broken, witnesses: checker.witnesses })),
  };
}
