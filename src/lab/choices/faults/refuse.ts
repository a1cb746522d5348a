/** The server does not handle a request. */
import { refusal } from '../../faults/index.ts';
import type { InjectedFault } from '../../scenario/index.ts';
import type { FaultKind } from '../fault.ts';

type Refuse = Extract<InjectedFault, { do: 'refuse' }>;

export const refuse: FaultKind<Refuse> = {
  name: 'refuse',
  sorts: ['write'],
  description: 'A request is refused with an error.',
  drawn: () => [409, 500].map((code): Refuse => ({ do: 'refuse', code })),
  weaker: () => [],
  says: ({ code }) => `is answered ${code}`,
  write: (_cluster, { code }) => ({ fail: refusal(code) }),
};
