/** A run as text, for pages without the engine. */
import type { Trace } from '../../lab/trace/index.ts';
import { entryPacker, entryUnpacker } from './packing.ts';
import type { RunData } from './protocol.ts';

interface Written {
  readonly run: Omit<RunData, 'trace'>;
  readonly trace: Omit<Trace, 'prologue' | 'entries'>;
  /** Number of prologue entries. */
  readonly prologue: number;
  readonly entries: readonly unknown[];
}

/** Returns a run as one line of JSON. */
export function recordingText({ trace, ...run }: RunData): string {
  const { prologue, entries, ...rest } = trace;
  const pack = entryPacker();
  const written: Written = { run, trace: rest, prologue: prologue.length, entries: [...prologue, ...entries].map((entry) => pack(entry)) };
  return JSON.stringify(written);
}

/** Reads what `recordingText` wrote. */
export function readRecording(text: string): RunData {
  // The page contains it, so its type is known.
  const { run, trace, prologue, entries } = JSON.parse(text) as Written;
  const unpack = entryUnpacker();
  const all = entries.map((entry) => unpack(entry));
  return { ...run, trace: { ...trace, prologue: all.slice(0, prologue), entries: all.slice(prologue) } };
}
