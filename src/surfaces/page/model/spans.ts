/** Faults as intervals of the timeline, from their start to their end. */
import { stepAt, type Trace } from '../../../lab/trace/index.ts';
import type { Lifespans } from './lifespans.ts';

export interface FaultSpan {
  readonly from: number;
  readonly to: number;
  readonly label: string;
}

/** Processes that are down, and faults with a duration. */
export function faultSpansOf(trace: Trace, { processes }: Lifespans): readonly FaultSpan[] {
  const spans: FaultSpan[] = [];
  for (const [process, stretches] of processes)
    for (const { from, to, what } of stretches)
      if (what === 'crashed' || what === 'stopped') spans.push({ from, to, label: `${process} ${what}` });
  trace.entries.forEach((entry, index) => {
    if (entry.type !== 'fault') return;
    const forMs = entry.given?.parameters['for'];
    if (typeof forMs !== 'number') return;
    spans.push({
      from: index + 1,
      to: stepAt(trace, entry.at + forMs) + 1,
      label: `${entry.fault} ${String(entry.given?.subject ?? '')}`.trim(),
    });
  });
  return spans;
}
