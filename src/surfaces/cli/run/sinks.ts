/** What a run writes while it runs: the timeline, files of entries and changes, a log, progress. Each receives the signals of the run. */
import type { Change } from '../../../apiserver/store/index.ts';
import type { AnsweredRequest } from '../../../controlplane/cluster-options.ts';
import { createAuditLog } from '../../../lab/incident/index.ts';
import type { Run } from '../../../lab/simulation/index.ts';
import type { Scenario } from '../../../lab/scenario/index.ts';
import { type Entry, createRedaction, redacted, type Trace, traceLines } from '../../../lab/trace/index.ts';
import type { CoverageCollector } from '../../../lab/coverage.ts';
import { createTimeline, paintLines, perfettoText, shivizLines } from '../../report/index.ts';
import type { Io } from '../io.ts';
import { openWhole } from '../files.ts';
import { runProgress, type Progress } from './progress.ts';

export type Signal =
  | { readonly type: 'entry'; readonly entry: Entry; readonly step: number }
  | { readonly type: 'change'; readonly change: Change }
  | { readonly type: 'request'; readonly answered: AnsweredRequest }
  | { readonly type: 'end'; readonly run: Run };

export type Sink = (signal: Signal) => void;

/** A file that is written line by line, in large chunks; `-` is standard output. */
export interface LineFile {
  line(text: string): void;
  /** Writes a text unchanged. */
  text(piece: string): void;
  close(): void;
}

const PIECE = 1 << 16;

export function lineFile(path: string, io: Io, option: string): LineFile {
  let pending = '';
  // A sink must not throw into the run: a full disk is reported after the run.
  const file = path === '-' ? { write: io.out, close: () => undefined } : openWhole({ option, path, cwd: io.cwd });
  const flush = (): void => {
    if (pending !== '') file.write(pending);
    pending = '';
  };
  const put = (text: string): void => {
    pending += text;
    if (pending.length > PIECE) flush();
  };
  return {
    line: (text) => put(`${text}\n`),
    text: put,
    close() {
      flush();
      file.close();
    },
  };
}

/** The timeline, with the narration in full. */
export function timelineSink(io: Io, scenario: Scenario, level: number, showSecrets: boolean): Sink {
  const timeline = createTimeline(scenario.startAt, level);
  const redaction = createRedaction();
  return (signal) => {
    if (signal.type !== 'entry') return;
    const entry = showSecrets ? signal.entry : redaction.entry(signal.entry);
    if (entry.type === 'note') {
      const note = entry.text.trim().split('\n');
      io.out(`\n${note.map((text) => `  ${io.palette.accent('│')} ${text}\n`).join('')}`);
      return;
    }
    const parts = timeline.next(entry, signal.step);
    if (parts !== undefined) io.out(`${paintLines(parts, io.palette, io.terminal ? io.columns : undefined).join('\n')}\n`);
  };
}

/** One JSON line for each change of an object: `{ t, type, object }`, `t` in seconds since the start. */
export function eventsSink(file: LineFile, scenario: Scenario, showSecrets: boolean): Sink {
  const { object: hide } = createRedaction();
  return (signal) => {
    if (signal.type !== 'change') return;
    const { at, type, object } = signal.change;
    file.line(JSON.stringify({ t: (at - scenario.startAt) / 1000, type, object: showSecrets ? object : hide(object) }));
  };
}

/** The audit log that a real server would write for the requests of the run. */
export function auditSink(file: LineFile, { startAt }: Scenario, secrets: boolean): Sink {
  const write = createAuditLog({ startAt, secrets, line: file.line });
  return (signal) => {
    if (signal.type === 'request') write(signal.answered);
  };
}

const atEnd =
  (showSecrets: boolean, act: (run: Run, trace: Trace) => void): Sink =>
  (signal) => {
    if (signal.type !== 'end' || signal.run.trace === undefined) return;
    act(signal.run, showSecrets ? signal.run.trace : redacted(signal.run.trace));
  };

/** The whole trace with its prologue, when the run has ended. */
export const traceSink = (file: LineFile, showSecrets: boolean): Sink =>
  atEnd(showSecrets, ({ scenario: { name, startAt, domain }, seed }, trace) => {
    for (const line of traceLines({ trace: 'orchsim/v1', scenario: name, seed, startAt, domain }, trace)) file.line(line);
  });

/** The whole trace in the format of another program, when the run has ended. */
export const exportSink = (file: LineFile, format: 'perfetto' | 'shiviz', showSecrets: boolean): Sink =>
  atEnd(showSecrets, ({ scenario: { name }, seed, digest }, trace) => {
    if (format === 'shiviz') for (const line of shivizLines(trace)) file.line(line);
    else for (const piece of perfettoText(trace, { scenario: name, seed, digest })) file.text(piece);
  });

const onEntries =
  (act: (entry: Entry) => void): Sink =>
  (signal) => {
    if (signal.type === 'entry') act(signal.entry);
  };

export const coverageSink = ({ observe }: CoverageCollector): Sink => onEntries(observe);

export const progressSink = (progress: Progress, scenario: Scenario): Sink => onEntries(runProgress(progress, scenario));
