/** The server does not handle a request. */
import { refusal } from '../../faults/index.ts';
import type { Deed } from '../../scenario/index.ts';
import type { DeedKind } from '../deed.ts';

type Refuse = Extract<Deed, { do: 'refuse' }>;

export const refuse: DeedKind<Refuse> = {
  name: 'refuse',
  sorts: ['write'],
  description: 'A request is answered with an error instead of being handled.',
  drawn: () => [409, 500].map((code): Refuse => ({ do: 'refuse', code })),
  weaker: () => [],
  says: ({ code }) => `is answered ${code}`,
  write: (_cluster, { code }) => ({ fail: refusal(code) }),
};
