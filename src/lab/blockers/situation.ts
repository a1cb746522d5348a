/** Moments of runs as explainers ask about them: of a cluster as it is, or of a trace at one of its steps. */
import type { KindRegistry } from '../../apiserver/kinds/index.ts';
import type { FeatureGates, Names } from '../../apiserver/machinery/index.ts';
import type { Cluster } from '../../controlplane/cluster.ts';
import { introspectionOf } from '../../controlplane/runtime/index.ts';
import { cursorAt, type Trace } from '../trace/index.ts';
import type { Situation } from './contract.ts';
import { introspectionAt } from './introspection-at.ts';

/** A cluster as it is, with its trace so far. `now`: an instant between its last entry and its present, in which nothing has happened. */
export function situationOf(cluster: Cluster, trace: Trace, now = cluster.now): Situation {
  const { prologue, entries, renewalIntervals = [], startAt } = trace;
  // A trace that grows on is another one: what is worked out of it is kept with it.
  const soFar: Trace = { startAt, prologue, entries: [...entries], renewalIntervals: [...renewalIntervals] };
  const step = soFar.entries.length;
  const { names, gates, kinds } = cluster;
  return { now, world: cursorAt(soFar, step, now), trace: soFar, step, introspection: introspectionOf(cluster), names, gates, kinds };
}

/**
 * A step of a trace, or a later instant before the next. What is pending then follows from what came of it, and from what its `end` left.
 */
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
