/** The result of a run as data: its findings, their positions, and how to reproduce them. Renderers (text, JSON, JUnit, page) format it. */
import type { FirstWrite } from './first-writes.ts';
import type { Counters } from '../../controlplane/runtime/index.ts';
import type { Cluster } from '../../controlplane/cluster.ts';
import type { PointChoice, Position, LintWarning, Scenario } from '../scenario/index.ts';
import type { NarrationStep, ObjectName, Trace } from '../trace/index.ts';
import { present } from '../../schema/values/index.ts';

/** The failure of a step; undefined: the step succeeded. */
export interface Trouble {
  /** One sentence. */
  readonly message: string;
  /** Lines with expected and found values; may be empty. */
  readonly detail: readonly string[];
  /** The object of the failure and its field, where there are any. The chain of causes starts at the last write that changed it. */
  readonly about?: ObjectName & { readonly field?: string };
  /** The activity would never end: the run ends here, unsettled. */
  readonly endless?: true;
  /** The controller that causes the activity, or violated the rules of controllers. */
  readonly controller?: string;
}

export const troubleOf = (message: string, detail: readonly string[] = [], about?: Trouble['about']): Trouble =>
  present({ message, detail, about });

/** An expectation, step or invariant that did not hold. */
export interface RunFailure extends Omit<Trouble, 'endless'> {
  readonly kind: 'expectation' | 'step' | 'invariant' | 'controller' | 'limit';
  /** Virtual milliseconds since the start. */
  readonly sinceStartMs: number;
  /** The trace step at which the failure was found; the step of the violating write, where there is one. */
  readonly traceStep: number;
  readonly source?: Position;
  /** What the objects of the failure waited for, one line each; absent: unknown, or the run kept no trace. */
  readonly waits?: readonly string[];
  readonly invariant?: string;
}

/** The result of one invariant in a run; `exercised`: how often it was exercised and held. */
export interface InvariantResult {
  readonly name: string;
  readonly temporal: string;
  readonly held: boolean;
  readonly exercised: number;
}

/** The verdict of a run: everything held, something broke, or a limit was reached before the cluster settled. */
export type Verdict = 'held' | 'broken' | 'unsettled';

/** A finished run: its verdict, its failures, and its records. The same scenario and seed give the same digest. */
export interface Run {
  readonly scenario: Scenario;
  readonly seed: number;
  readonly verdict: Verdict;
  readonly failures: readonly RunFailure[];
  readonly invariants: readonly InvariantResult[];
  /** The ended steps, with their narration. */
  readonly narrationSteps: readonly NarrationStep[];
  /** Rules that its writes broke and that the server does not enforce. */
  readonly lintWarnings: readonly LintWarning[];
  /** Of a run that begins with a dump: what the restored cluster wrote by itself in its first minute. */
  readonly firstWrites?: readonly FirstWrite[];
  readonly digest: string;
  readonly counters: Readonly<Counters>;
  /** The number of events that the kernel handled. */
  readonly steps: number;
  /** Virtual milliseconds. */
  readonly lengthMs: number;
  readonly settled: boolean;
  /** Present when the run was told to keep it. */
  readonly trace?: Trace;
  /** The choices made, and the scenario's choices whose point was not reached. */
  readonly taken: readonly PointChoice[];
  readonly unused: readonly PointChoice[];
  /** The cluster at the end of the run, which can be continued. */
  readonly cluster: Cluster;
}
