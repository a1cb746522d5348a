/** Creates the moments that explainers read: the present of a cluster, or a step of a trace. */
import type { KindRegistry } from '../../apiserver/kinds/index.ts';
import type { FeatureGates, Names } from '../../apiserver/machinery/index.ts';
import type { Cluster } from '../../controlplane/cluster.ts';
import { introspectionOf } from '../../controlplane/runtime/index.ts';
import { cursorAt, type Trace } from '../trace/index.ts';
import type { Situation } from './contract.ts';
import { introspectionAt } from './introspection-at.ts';

/** Returns the present of a cluster, with its trace so far. `now`: an instant between the last entry and the present, without events. */
export function situationOf(cluster: Cluster, trace: Trace, now = cluster.now): Situation {
  const { prologue, entries, renewalIntervals = [], startAt } = trace;
  // Derived data is memoized by trace object, so a trace that has grown needs a new object.
  const soFar: Trace = { startAt, prologue, entries: [...entries], renewalIntervals: [...renewalIntervals] };
  const step = soFar.entries.length;
  const { names, gates, kinds } = cluster;
  return { now, world: cursorAt(soFar, step, now), trace: soFar, step, introspection: introspectionOf(cluster), names, gates, kinds };
}

/** Returns a step of a trace, or a later instant before the next step. Pending events follow from later entries, and from `end`. */
export function situationAt(
  {
    trace,
    names,
    gates,
    kinds,
  }: { readonly trace: Trace; readonly names: Names; readonly gates: FeatureGates; readonly kinds: KindRegistry },
  { step, at }: { readonly step: number; readonly at: number },
  end?: Cluster,
): Situation {
  return {
    now: at,
    world: cursorAt(trace, step, at),
    trace,
    step,
    introspection: introspectionAt(trace, step, at, end === undefined ? undefined : introspectionOf(end)),
    names,
    gates,
    kinds,
  };
}
