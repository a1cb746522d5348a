/** The moment that explainers read (the present of a cluster, or a step of a trace), and the contract of an explainer. */
import { isOf, type ObjectNamed } from '../../apiserver/kinds/index.ts';
import type { ApiObject } from '../../apiserver/machinery/index.ts';
import type { Cluster } from '../../controlplane/cluster.ts';
import { type Introspection, introspectionOf } from '../../controlplane/runtime/index.ts';
import { introspectionAt } from './introspection-at.ts';
import { cursorAt, type ObjectName, type Trace, type World } from '../trace/index.ts';

/** A moment of a run, with the state that explainers read. */
export interface Situation extends Pick<Cluster, 'names' | 'gates' | 'kinds'> {
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly world: World;
  /** It covers the moment, and perhaps later entries. */
  readonly trace: Trace;
  readonly step: number;
  readonly introspection: Introspection;
}

export interface Wait {
  /** A predicate whose subject is the object: `waits for a node: 0/2 nodes are available`. */
  readonly text: string;
  /** When the wait ends by itself, milliseconds since the epoch. */
  readonly until?: number;
  /** The object does not wait any more, because it has finished. */
  readonly ended?: true;
  /** Objects that it waits for; they are explained next. */
  readonly leadsTo?: readonly ObjectName[];
}

/** Explains what an object waits for; returns an empty list where its reason does not apply. */
export interface Explainer {
  readonly name: string;
  /** The kinds that it explains; absent: every kind. */
  readonly kinds?: readonly string[];
  explain(object: ApiObject, situation: Situation): readonly Wait[];
}

/** Returns the explainer of one kind. It says nothing of an object that is being deleted, unless `whileDeleted`. */
export const explainerOf = <K extends string>(
  name: string,
  kind: K,
  explain: (object: ObjectNamed<K>, situation: Situation) => readonly Wait[],
  whileDeleted = false,
): Explainer => ({
  name,
  kinds: [kind],
  explain: (object, situation) =>
    isOf(kind, object) && (whileDeleted || object.metadata.deletionTimestamp === undefined) ? explain(object, situation) : [],
});

/** Explains why an object does not exist, and which owner would create it. */
export interface AbsenceExplainer {
  readonly name: string;
  explain(name: ObjectName, situation: Situation): readonly Wait[];
}

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
  { trace, names, gates, kinds }: Pick<Situation, 'trace' | 'names' | 'gates' | 'kinds'>,
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
