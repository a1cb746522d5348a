/** Moments of a trace: `5s`, `1h30m` since the start, `#212` a step, `start`, `end`. */
import { parseDurationMs } from '../../../schema/values/index.ts';
import { formatSince, stepAt, type Trace } from '../../../lab/trace/index.ts';
import { BadInput } from '../exit.ts';

export interface Moment {
  /** The last step at or before the moment; 0 before the first. */
  readonly step: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** Parses a moment; `option` names it in the error. */
export function readMoment(text: string, trace: Trace, option: string): Moment {
  const last = trace.entries.length;
  if (text === 'start') return { step: 0, at: trace.startAt };
  if (text === 'end') return momentOf(trace, last);
  if (/^#\d+$/.test(text)) {
    const step = Number(text.slice(1));
    if (step > last) throw new BadInput(`${option}: expected a step up to #${last}, found ${text}`);
    return momentOf(trace, step);
  }
  const ms = parseDurationMs(text);
  if (ms.value === undefined)
    throw new BadInput(`${option}: expected a time such as 5s or 1h30m, a step such as #212, start or end, found ${JSON.stringify(text)}`);
  const at = trace.startAt + ms.value;
  return { step: stepAt(trace, at), at };
}

export const momentOf = (trace: Trace, step: number): Moment => ({ step, at: trace.entries[step - 1]?.at ?? trace.startAt });

/** `5.000s (step #212)`. */
export const formatMoment = ({ step, at }: Moment, trace: Trace): string =>
  `${formatSince(at - trace.startAt)} (${step === 0 ? 'the start' : `step #${step}`})`;
