/**
 * The contract of an invariant: a property of a whole run, checked while it runs. A checker receives each write once and keeps the state
 * that it needs; it never scans the cluster at a write. A property that had no opportunity to break proves nothing. So the number of times
 * it was exercised is reported, and a scenario that names an invariant (not by a pattern) fails when that number is 0.
 */
import type { ObjectNamed } from '../../apiserver/kinds/index.ts';
import type { ApiObject, Names } from '../../apiserver/machinery/index.ts';
import type { EvictionCause } from '../../controlplane/agents/index.ts';
import type { Change } from '../../apiserver/store/index.ts';
import type { Position } from '../scenario/index.ts';
import { accessors } from '../../engine/index.ts';

/** `always`: at every write; `eventually`: within a time; `stable`: at the end, and from when it is reached; `sometimes`: at least once. */
export type Temporal = 'always' | 'eventually' | 'stable' | 'sometimes';

/** A violation, as a sentence. */
export interface Violation {
  readonly message: string;
  /** The condition and the decisive values, one line each. */
  readonly detail?: readonly string[];
  readonly object?: ApiObject;
}

/** The state that a checker may read. Reads by owner or key are cheap; listing a kind is not. */
export interface Facts {
  readonly now: number;
  /** The start of virtual time, milliseconds since the epoch; the cluster warms up before it. */
  readonly startAt: number;
  readonly names: Names;
  readonly gates: Readonly<Record<string, boolean>>;
  get<K extends string>(kind: K, key: string): ObjectNamed<K> | undefined;
  by<K extends string>(kind: K, index: 'ownerUid' | 'controllerUid' | 'nodeName' | 'namespace', value: string): readonly ObjectNamed<K>[];
  list<K extends string>(kind: K): Iterable<ObjectNamed<K>>;
  /** Returns the expiry of a process's client certificate; undefined: its certificates are not modelled; -Infinity: it has none. */
  certifiedUntil?(process: string): number | undefined;
  /** Returns the resource shortage for which a node evicted a pod; undefined: it did not. */
  evictionOf?(uid: string): EvictionCause | undefined;
}

/** A running invariant: it receives changes and returns a violation, or undefined. */
export interface Checker {
  /** The number of times the property was exercised and held. */
  readonly exercised: number;
  /**
   * Returns the state beside `exercised` as plain data, so that an exhaustive search can compare two moments of a run; maps and sets are
   * unordered. Absent: the sequence of all observed changes is taken as the state, and the search finds fewer equal states.
   */
  describe?(): unknown;
  /**
   * Receives one committed change of a kind in `kinds`, the controller that made it (undefined: not a controller), and its process or user.
   */
  onChange?(change: Change, facts: Facts, controller?: string, actor?: string): Violation | undefined;
  /** Called when the deadline has passed. */
  onTime?(facts: Facts): Violation | undefined;
  /** Returns the next deadline at which `onTime` is called. */
  deadline?(): number | undefined;
  /** Called at the end of the run; `settled`: only heartbeats were pending. */
  onEnd?(facts: Facts, settled: boolean): Violation | undefined;
}

/** Creates a checker from its count and its other members. */
export const withExercised = accessors('exercised');

/** Returns the creator of a checker whose members call `exercised` each time the property was exercised and held; the call returns nothing. */
export const checking = (members: (exercised: () => undefined) => Omit<Checker, 'exercised'>) => (): Checker => {
  const state = { count: 0 };
  const exercised = () => void state.count++;
  return withExercised<Checker>({ exercised: () => state.count }, { describe: () => undefined, ...members(exercised) });
};

/** true: the property was exercised and held; false or undefined: it was not exercised; a text: the violation, as a sentence. */
export type Answer = string | boolean | undefined;

type Subject = (object: ApiObject) => string;

/** A change of an object of one of some kinds. */
type ChangeOf<K extends string> = Change & { readonly object: ObjectNamed<K>; readonly previous?: ObjectNamed<K> | undefined };

/** Returns the violation of an answer about an object, if it is one. `about`: the subject of the sentence, asked only for a violation. */
export const answered = (answer: Answer, exercised: () => undefined, object: ApiObject, about?: Subject): Violation | undefined =>
  answer === true ? exercised() : typeof answer === 'string' ? { message: `${about?.(object) ?? ''}${answer}`, object } : undefined;

/** Returns an invariant of each change, with what is remembered of earlier ones; `about`: the subject of its sentences. */
export const ofChanges = <const K extends string, S = undefined>(
  name: string,
  description: string,
  { about, ...more }: Pick<Invariant, 'onRequest'> & { readonly kinds: readonly K[]; readonly about?: Subject },
  remember: () => S,
  judge: (change: ChangeOf<K>, facts: Facts, state: S, controller?: string, actor?: string) => Answer,
  describe: (state: S) => unknown = (state) => state,
): Invariant => ({
  name,
  description,
  ...more,
  temporal: 'always',
  check: checking((exercised) => {
    const state = remember();
    return {
      describe: () => describe(state),
      onChange: (change, facts, controller, actor) =>
        answered(judge(change as ChangeOf<K>, facts, state, controller, actor), exercised, change.object, about),
    };
  }),
});

/** For invariants that remember nothing. */
export const nothing = (): undefined => undefined;

/** A property of runs: its description, and `check`, which creates a checker for one run. */
export interface Invariant {
  /** `job/counts-never-shrink`. */
  readonly name: string;
  readonly temporal: Temporal;
  /** One sentence for the documentation. */
  readonly description: string;
  /** Its position in the scenario that defines it. */
  readonly source?: Position;
  /** The reason why it is not guaranteed; it is checked only in scenarios that name it. */
  readonly onRequest?: string;
  /** The kinds whose changes it receives; `*` for all. */
  readonly kinds: readonly string[];
  check(): Checker;
}
