/** Containers run and never become ready: a broken release, which only a new pod template repairs. */
import type { InjectedFault } from '../../scenario/index.ts';
import type { FaultKind } from '../fault.ts';

type Hang = Extract<InjectedFault, { do: 'hang' }>;

export const hang: FaultKind<Hang> = {
  name: 'hang',
  sorts: ['start'],
  description: 'The containers of a pod run, are never ready and do not end by themselves.',
  drawn: () => [{ do: 'hang' }],
  weaker: () => [],
  says: () => 'its containers run and are never ready',
  lasts: true,
};
