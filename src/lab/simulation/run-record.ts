/**
 * The state of a running scenario that its steps and its observers share, and the record of the run: entries, failures, narration steps.
 */
import type { Cluster } from '../../controlplane/cluster.ts';
import type { Observation, QuietObserver } from '../../controlplane/runtime/index.ts';
import type { Change } from '../../apiserver/store/index.ts';
import type { Fault } from '../faults/index.ts';
import type { LintWarning, Position, Scenario } from '../scenario/index.ts';
import { watchDeletions } from './about.ts';
import type { Driver } from './drive.ts';
import type { RunFailure, Trouble } from './run.ts';
import type { Entry, NarrationStep, Trace } from '../trace/index.ts';
import { present } from '../../schema/values/index.ts';

export type Record = ReturnType<typeof recordOf>;

/** What takes in the entries and failures of a run, beside its record. */
interface Sinks {
  /** Stores an entry; absent: the run keeps no trace. */
  readonly keep?: ((entry: Entry) => void) | undefined;
  /** Called for each entry at or after the start. */
  readonly onEntry?: ((entry: Entry) => void) | undefined;
  readonly failed?: ((failure: RunFailure, isByWrite: boolean) => void) | undefined;
}

export const recordOf = (scenario: Scenario, sinks: Sinks) => ({
  startAt: scenario.startAt,
  failures: [] as RunFailure[],
  narrationSteps: [] as NarrationStep[],
  /** Deleted objects that the notes name. */
  gone: watchDeletions(scenario),
  lintWarnings: [] as LintWarning[],
  /** The processes that did not start, with the reasons; and the refusals that a step expected (`process: refusal`). */
  refusals: new Map<string, string>(),
  refusalsExpected: new Set<string>(),
  ...present(sinks),
  /** The number of entries at or after the start. */
  entries: 0,
  /** The identity of the last observation. */
  lastId: 0,
});

function noteEntry(record: Record, entry: Entry): void {
  if (entry.type === 'process' && entry.refusal !== undefined) record.refusals.set(entry.process, entry.refusal);
  if (entry.at >= record.startAt) {
    record.entries++;
    record.onEntry?.(entry);
  }
  record.keep?.(entry);
}

type OnChange = (change: Change, controller: string | undefined, actor: string) => void;

/** The observer of a run whose entries are read. */
export const fullObserver =
  (record: Record, onChange: OnChange) =>
  (observation: Observation): void => {
    record.lastId = observation.id;
    noteEntry(record, observation);
    if (observation.type === 'write') onChange(observation.change, observation.controller, observation.actor);
  };

/** The observer of a run whose entries are only counted. */
export function quietObserver(record: Record, onChange: OnChange): QuietObserver {
  const count = (id: number, at: number): void => {
    record.lastId = id;
    if (at >= record.startAt) record.entries++;
  };
  return {
    onCounted: count,
    onChange(change, { controller, process }) {
      count(change.entry, change.at);
      onChange(change, controller, process);
    },
    onOther(observation) {
      record.lastId = observation.id;
      noteEntry(record, observation);
    },
  };
}

/** The origin of a failure: a position in the scenario, an invariant. */
export interface FailureOrigin {
  readonly source?: Position | undefined;
  readonly waits?: readonly string[];
  readonly invariant?: string;
  readonly controller?: string;
  /** The last write violated the invariant, not the end of a time. */
  readonly isByWrite?: boolean;
}

export function noteFailure(
  record: Record,
  cluster: Cluster,
  kind: RunFailure['kind'],
  trouble: Trouble,
  { source, invariant, controller, waits = [], isByWrite = false }: FailureOrigin = {},
): void {
  const failure: RunFailure = {
    kind,
    message: trouble.message,
    detail: trouble.detail,
    sinceStartMs: cluster.now - cluster.startAt,
    traceStep: record.entries,
    ...present({ source, about: trouble.about, invariant, waits: waits.length === 0 ? undefined : waits, controller }),
  };
  record.failures.push(failure);
  record.failed?.(failure, isByWrite);
  noteEntry(record, {
    id: record.lastId,
    at: cluster.now,
    causes: invariant === undefined ? [] : [record.lastId],
    type: 'check',
    name: invariant ?? controller ?? kind,
    held: false,
    detail: trouble.message,
  });
}

/** Records a narration step; its text is also an entry of the trace. */
export function noteNarrationStep(
  record: Record,
  cluster: Cluster,
  narrationStep: Omit<NarrationStep, 'traceStep' | 'sinceStartMs'>,
): void {
  const { text, about } = narrationStep;
  if (text !== undefined)
    noteEntry(record, { id: record.lastId, at: cluster.now, causes: [], type: 'note', text, ...(about === undefined ? {} : { about }) });
  record.narrationSteps.push({ ...narrationStep, traceStep: record.entries, sinceStartMs: cluster.now - cluster.startAt });
}

/** The position in a scenario: the state that determines what its driver does next, as plain data. */
export interface ScenarioPosition {
  /** The number of items taken (an item is a step, or an expectation beside it). */
  items: number;
  /** due: the next item is waited for; taking: the item runs; beside: the expectation beside it runs; end: all are taken. */
  stage: 'due' | 'taking' | 'beside' | 'end';
  /** The start of that stage, milliseconds since the epoch; timeouts count from there. */
  since: number;
}

export interface Play {
  readonly cluster: Cluster;
  /** A run that goes on as another scenario has that one from then on. */
  scenario: Scenario;
  readonly driver: Driver;
  readonly position: ScenarioPosition;
  readonly record: Record;
  /** The trace so far; absent: the run keeps none. */
  readonly trace?: Trace;
  readonly faults: readonly Fault[];
  /** Maps a stack to a position in the files of the definitions' author. */
  readonly locate?: (stack: string) => Position | undefined;
}
