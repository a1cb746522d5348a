/** Moments of runs as explainers ask about them: of a cluster as it is, or of a trace at one of its steps. */
import type { KindRegistry } from '../../apiserver/kinds/index.ts';
import type { FeatureGates, Names } from '../../apiserver/vocabulary/index.ts';
import type { Cluster } from '../../controlplane/cluster.ts';
import { insideOf } from '../../controlplane/runtime/index.ts';
import { cursorAt, type Trace } from '../trace/index.ts';
import type { Situation } from './contract.ts';
import { insideAt } from './inside-at.ts';

/** A cluster as it is now, with its trace so far. */
export function situationOf(cluster: Cluster, trace: Trace): Situation {
  const { prologue, entries, pulses = [], startAt } = trace;
  // A trace that grows on is another one: what is worked out of it is kept with it.
  const soFar: Trace = { startAt, prologue, entries: [...entries], pulses: [...pulses] };
  const step = soFar.entries.length;
  const { now, names, gates, kinds } = cluster;
  return { now, world: cursorAt(soFar, step, now), trace: soFar, step, inside: insideOf(cluster), names, gates, kinds };
}

/** A step of a trace, or a later instant before the next. What is pending then follows from what came of it. */
export function situationAt(
  { trace, names, gates, kinds }: { readonly trace: Trace; readonly names: Names; readonly gates: FeatureGates; readonly kinds: KindRegistry },
  { step, at }: { readonly step: number; readonly at: number },
): Situation {
  return { now: at, world: cursorAt(trace, step, at), trace, step, inside: insideAt(trace, step, at), names, gates, kinds };
}
