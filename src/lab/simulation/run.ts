/** The result of a run as data: what it found, where, and how to see it again. Renderers (text, JSON, JUnit, page) make the words. */
import type { Counters } from '../../controlplane/runtime/index.ts';
import type { Cluster } from '../../controlplane/cluster.ts';
import type { PointChoice, Position, LintWarning, Scenario } from '../scenario/index.ts';
import type { NarrationStep, ObjectName, Trace } from '../trace/index.ts';

/** What came of a step: undefined when all is well. */
export interface Trouble {
  readonly message: string;
  readonly detail: readonly string[];
  readonly about?: ObjectName & { readonly field?: string };
  /** It would go on for ever: the run ends here, unsettled. */
  readonly endless?: true;
  /** Which controller keeps it going. */
  readonly controller?: string;
}

/** An expectation, step or invariant that did not hold. */
export interface RunFailure {
  readonly kind: 'expectation' | 'step' | 'invariant' | 'controller' | 'limit';
  /** Headline, one sentence. */
  readonly message: string;
  /** Expected against found, one line each; may be empty. */
  readonly detail: readonly string[];
  /** Virtual milliseconds since the start. */
  readonly sinceStartMs: number;
  /** Trace step at which it was found; the write in question where there is one. */
  readonly traceStep: number;
  readonly source?: Position;
  /** The object in question, where there is one, and its field: the last write that changed it begins the chain of causes. */
  readonly about?: ObjectName & { readonly field?: string };
  /** What the objects in question waited for then, a line each; absent: nothing is known, or the run kept no trace. */
  readonly waits?: readonly string[];
  /** Invariant's name. */
  readonly invariant?: string;
  /** The name of the controller that did what none may. */
  readonly controller?: string;
}

/** What became of one invariant in a run; `exercised`: how often it was exercised and held. */
export interface InvariantResult {
  readonly name: string;
  readonly temporal: string;
  readonly held: boolean;
  readonly exercised: number;
}

/** What came of a run: everything held, something broke, or it met a limit before it had settled. */
export type Verdict = 'held' | 'broken' | 'unsettled';

/** A run that is over: its verdict, what failed, and what there is to look at. The same scenario and seed give the same digest. */
export interface Run {
  readonly scenario: Scenario;
  readonly seed: number;
  readonly verdict: Verdict;
  readonly failures: readonly RunFailure[];
  readonly invariants: readonly InvariantResult[];
  /** The steps as they ended, with what is told of them. */
  readonly narrationSteps: readonly NarrationStep[];
  /** What its steps wrote against rules that are not held against them. */
  readonly lintWarnings: readonly LintWarning[];
  readonly digest: string;
  readonly counters: Readonly<Counters>;
  /** Events the kernel handled. */
  readonly steps: number;
  /** Virtual length, milliseconds. */
  readonly lengthMs: number;
  readonly settled: boolean;
  /** Present when the run was asked to keep it. */
  readonly trace?: Trace;
  /** What went otherwise than by itself, and which of the scenario's choices found no point. */
  readonly taken: readonly PointChoice[];
  readonly unused: readonly PointChoice[];
  /** The cluster as it was left, for whoever wants to go on from here. */
  readonly cluster: Cluster;
}
