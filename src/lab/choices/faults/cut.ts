/** The connection between a process and the server is cut for a while. */
import { formatDurationMs } from '../../../schema/values/index.ts';
import { cutOff } from '../../faults/index.ts';
import type { InjectedFault } from '../../scenario/index.ts';
import type { FaultKind } from '../fault.ts';

type Cut = Extract<InjectedFault, { do: 'cut' }>;
const LENGTHS: readonly number[] = [1_000, 5_000, 20_000, 60_000];
const made = (ms: number): Cut => ({ do: 'cut', ms });

export const cut: FaultKind<Cut> = {
  name: 'cut',
  sorts: ['decide'],
  description: 'A process is disconnected from the server for a while.',
  drawn: () => LENGTHS.map(made),
  weaker: ({ ms }) => LENGTHS.filter((each) => each < ms).map(made),
  says: ({ ms }) => `the process is cut off before it, for ${formatDurationMs(ms)}`,
  decide(cluster, { ms }, { process }) {
    cutOff(cluster, process, ms);
    return undefined;
  },
};
