/** The clock of a process is wrong for a while. */
import { formatDurationMs } from '../../../schema/values/index.ts';
import { setWrong } from '../../faults/index.ts';
import { SKEW_FOR_MS, type InjectedFault } from '../../scenario/index.ts';
import type { FaultKind } from '../fault.ts';

type Skew = Extract<InjectedFault, { do: 'skew' }>;
const AMOUNTS: readonly number[] = [2_000, 20_000, 90_000];
const made = (ms: number): Skew => ({ do: 'skew', ms, forMs: SKEW_FOR_MS });

export const skew: FaultKind<Skew> = {
  name: 'skew',
  sorts: ['decide'],
  description: 'The clock of a process is wrong for a while.',
  drawn: () => AMOUNTS.flatMap((ms) => [made(ms), made(-ms)]),
  weaker: ({ ms }) => AMOUNTS.filter((each) => each < Math.abs(ms)).map((each) => made(Math.sign(ms) * each)),
  says: ({ ms, forMs }) =>
    `the clock of the process is ${formatDurationMs(Math.abs(ms))} ${ms < 0 ? 'behind' : 'ahead'} from it on, for ${formatDurationMs(forMs)}`,
  decide(cluster, { ms, forMs }, { process }) {
    setWrong(cluster, process, ms, forMs);
    return undefined;
  },
};
