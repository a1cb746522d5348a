/**
 * The contract of an invariant: a property of a whole run, checked as it goes. A checker sees each write once and may keep what it needs;
 * it never scans the world per write. A property that never had a chance to break was never exercised and proves nothing: the count is reported,
 * and a scenario that names an invariant (not by a pattern) fails when it has none.
 */
import type { ApiObject, Names } from '../../apiserver/machinery/index.ts';
import type { EvictionCause } from '../../controlplane/agents/index.ts';
import type { Change } from '../../apiserver/store/index.ts';
import type { Position } from '../scenario/index.ts';
import { accessors } from '../../engine/index.ts';

/** `always` at every write; `eventually` within a time; `stable` reached at the end and kept; `sometimes` seen at least once. */
export type Temporal = 'always' | 'eventually' | 'stable' | 'sometimes';

/** A broken property, as a sentence. */
export interface Violation {
  readonly message: string;
  /** The condition and the values that decide, a line each. */
  readonly detail?: readonly string[];
  readonly object?: ApiObject;
}

/** What a checker may look up. Reading by owner or key is cheap, listing a kind is not. */
export interface Facts {
  readonly now: number;
  /** When virtual time began; before it the cluster warms up. */
  readonly startAt: number;
  readonly names: Names;
  readonly gates: Readonly<Record<string, boolean>>;
  get(kind: string, key: string): ApiObject | undefined;
  by(kind: string, index: 'ownerUid' | 'controllerUid' | 'nodeName' | 'namespace', value: string): readonly ApiObject[];
  list(kind: string): Iterable<ApiObject>;
  /** Until when the client certificate of a process is good; undefined: nobody speaks of one; -Infinity: it has none. */
  certifiedUntil?(process: string): number | undefined;
  /** How short a machine was of something when it put a pod out for it; undefined: it did not. */
  evictionOf?(uid: string): EvictionCause | undefined;
}

/** An invariant at work in one run: it is told of changes and answers a violation, or undefined while all is well. */
export interface Checker {
  /** How often the property was exercised and held. */
  readonly exercised: number;
  /**
   * What it remembers beside `exercised`, as plain data, so that two moments of a run can be told apart by it: maps and sets in no order
   * that means anything. Absent: it is taken to remember all that it has heard, in its order, and an exhaustive search finds fewer states
   * alike.
   */
  describe?(): unknown;
  /** One committed change of a kind in `kinds`, the controller that made it (undefined: somebody else did), and its process or person. */
  onChange?(change: Change, facts: Facts, controller?: string, actor?: string): Violation | undefined;
  /** A deadline set by `deadline` has come. */
  onTime?(facts: Facts): Violation | undefined;
  /** The next instant at which `onTime` wants to be called. */
  deadline?(): number | undefined;
  /** The end of the run; `settled` says whether anything was still going on. */
  onEnd?(facts: Facts, settled: boolean): Violation | undefined;
}

/** A checker of which each run makes its own, from its count and its other members. */
export const withExercised = accessors('exercised');

/** A property that runs are held against: what it says, and `check`, which makes a checker for one run. */
export interface Invariant {
  /** `job/counts-never-shrink`. */
  readonly name: string;
  readonly temporal: Temporal;
  /** One sentence, for people. */
  readonly description: string;
  /** Where a scenario says it. */
  readonly source?: Position;
  /** Not guaranteed, and why: watched only in scenarios that name it. */
  readonly onRequest?: string;
  /** Kinds whose changes it wants; `*` for all. */
  readonly kinds: readonly string[];
  check(): Checker;
}
