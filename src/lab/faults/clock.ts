/** A process whose clock is wrong. */
import type { Cluster } from '../../controlplane/cluster.ts';
import { formatDurationMs } from '../../schema/values/index.ts';
import { duration, flag, required, SKEW_FOR_MS } from '../scenario/index.ts';
import type { Fault, Injection, Of } from './fault.ts';
import { milliseconds, noProcess, planEnd, processField, subjectText } from './parameters.ts';

/**
 * Adds `byMs` to the clock of a process (negative: behind) for `forMs`; undefined: until the end of the run. Of overlapping skews the last
 * applies; when it ends, the previous one applies again.
 */
function setWrong(cluster: Cluster, name: string, byMs: number, forMs?: number): void {
  const lift = cluster.runtime.addSkew(name, byMs);
  planEnd(cluster, forMs, `the clock of ${name} is right again`, lift);
}

export const skew: Fault = {
  name: 'skew',
  description: 'Skews the clock of a process.',
  overlap: 'The last one applies; when it ends, the latest that is still active applies again.',
  subject: processField,
  parameters: {
    by: required(duration('How far it is ahead.')),
    behind: flag('Behind instead of ahead.'),
  },
  apply(cluster, call) {
    const process = cluster.runtime.process(subjectText(call));
    if (process === undefined) return noProcess(cluster, subjectText(call));
    const by = milliseconds(call, 'by') ?? 0;
    setWrong(cluster, process.spec.name, call.parameters['behind'] === true ? -by : by);
    return { detail: `the clock of ${process.spec.name} is ${by} ms ${call.parameters['behind'] === true ? 'behind' : 'ahead'}` };
  },
};

const SKEWS: readonly number[] = [2_000, 20_000, 90_000];
const skewedBy = (ms: number): Of<'skew'> => ({ do: 'skew', ms, forMs: SKEW_FOR_MS });

export const skewInjection: Injection<'skew'> = {
  name: 'skew',
  sorts: ['decide'],
  description: 'The clock of a process is wrong for a while.',
  drawn: () => SKEWS.flatMap((ms) => [skewedBy(ms), skewedBy(-ms)]),
  weaker: ({ ms }) => SKEWS.filter((each) => each < Math.abs(ms)).map((each) => skewedBy(Math.sign(ms) * each)),
  says: ({ ms, forMs }) =>
    `the clock of the process is ${formatDurationMs(Math.abs(ms))} ${ms < 0 ? 'behind' : 'ahead'} from it on, for ${formatDurationMs(forMs)}`,
  decide(cluster, { ms, forMs }, { process }) {
    setWrong(cluster, process, ms, forMs);
    return undefined;
  },
};
