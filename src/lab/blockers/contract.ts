/** The contract of an explainer: a function from one object at one moment to what that object waits for. */
import type { KindRegistry } from '../../apiserver/kinds/index.ts';
import type { ApiObject, FeatureGates, Names } from '../../apiserver/machinery/index.ts';
import type { Introspection } from '../../controlplane/runtime/index.ts';
import type { ObjectName, Trace, World } from '../trace/index.ts';

/** A moment of a run, with the state that explainers read. */
export interface Situation {
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly world: World;
  /** It covers the moment, and perhaps later entries. */
  readonly trace: Trace;
  /** The step of the moment. */
  readonly step: number;
  readonly introspection: Introspection;
  readonly names: Names;
  readonly gates: FeatureGates;
  readonly kinds: KindRegistry;
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

/** Explains why an object does not exist, and which owner would create it. */
export interface AbsenceExplainer {
  readonly name: string;
  explain(name: ObjectName, situation: Situation): readonly Wait[];
}
