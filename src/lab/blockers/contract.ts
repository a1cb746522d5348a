/** The contract of an explainer: it looks at one object at one moment and says what that object waits for, if it knows. */
import type { KindRegistry } from '../../apiserver/kinds/index.ts';
import type { ApiObject, FeatureGates, Names } from '../../apiserver/machinery/index.ts';
import type { Introspection } from '../../controlplane/runtime/index.ts';
import type { ObjectName, Trace, World } from '../trace/index.ts';

/** A moment of a run, with all that there is to be known of it. */
export interface Situation {
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly world: World;
  /** Up to the moment, and perhaps beyond it. */
  readonly trace: Trace;
  /** The moment's step. */
  readonly step: number;
  readonly introspection: Introspection;
  readonly names: Names;
  readonly gates: FeatureGates;
  readonly kinds: KindRegistry;
}

export interface Wait {
  /** What is said of the object, without its name: `waits for a node: 0/2 nodes are available`. */
  readonly text: string;
  /** When it ends by itself, milliseconds since the epoch. */
  readonly until?: number;
  /** It waits no more: it has come to its end. */
  readonly ended?: true;
  /** Objects that it waits for: they are asked next. */
  readonly leadsTo?: readonly ObjectName[];
}

/** Says what an object waits for; nothing: not this. */
export interface Explainer {
  readonly name: string;
  /** Absent: objects of every kind. */
  readonly kinds?: readonly string[];
  explain(object: ApiObject, situation: Situation): readonly Wait[];
}

/** Says why there is no object of a name, and who would make it. */
export interface AbsenceExplainer {
  readonly name: string;
  explain(name: ObjectName, situation: Situation): readonly Wait[];
}
