/** What a run writes down as it goes: how many entries there were, its failures, the beats of its story. */
import type { Cluster } from '../../controlplane/cluster.ts';
import type { Position, LintWarning } from '../scenario/index.ts';
import type { NarrationStep, Entry } from '../trace/index.ts';
import type { Gone } from './about.ts';
import type { RunFailure, Trouble } from './run.ts';

export interface Record {
  readonly startAt: number;
  readonly failures: RunFailure[];
  readonly narrationSteps: NarrationStep[];
  /** Objects that beats name and that are there no more. */
  readonly gone: Gone;
  readonly lintWarnings: LintWarning[];
  /** Why processes did not start, and those refusals that a step expected (`process: refusal`). */
  readonly refusals: Map<string, string>;
  readonly refusalsExpected: Set<string>;
  /** Keeps an entry; absent where nobody asked for the trace. */
  readonly keep?: (entry: Entry) => void;
  /** Hears of each failure. */
  readonly failed?: (failure: RunFailure) => void;
  /** Hears each entry at or after the start. */
  readonly tell?: (entry: Entry) => void;
  /** Entries at or after the start. */
  entries: number;
  /** Identity of the last observation. */
  lastId: number;
}

export function noteEntry(record: Record, entry: Entry): void {
  if (entry.type === 'process' && entry.refusal !== undefined) record.refusals.set(entry.process, entry.refusal);
  if (entry.at >= record.startAt) {
    record.entries++;
    record.tell?.(entry);
  }
  record.keep?.(entry);
}

/** Where a failure comes from: a place in the scenario, an invariant. */
export interface FailureOrigin {
  readonly source?: Position | undefined;
  readonly waits?: readonly string[];
  readonly invariant?: string;
  readonly controller?: string;
}

export function noteFailure(
  record: Record,
  cluster: Cluster,
  kind: RunFailure['kind'],
  trouble: Trouble,
  { source, invariant, controller, waits = [] }: FailureOrigin,
): void {
  const failure: RunFailure = {
    kind,
    message: trouble.message,
    detail: trouble.detail,
    sinceStartMs: cluster.now - cluster.startAt,
    traceStep: record.entries,
    ...(source === undefined ? {} : { source }),
    ...(trouble.about === undefined ? {} : { about: trouble.about }),
    ...(invariant === undefined ? {} : { invariant }),
    ...(waits.length === 0 ? {} : { waits }),
    ...(controller === undefined ? {} : { controller }),
  };
  record.failures.push(failure);
  record.failed?.(failure);
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

/** A stop in the story; what is told there is an entry too. */
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
