/** The effect of a choice: what it does to whom. Choices with the same effect are the same kind of fault, whatever their point and strength. */
import { whoseOf } from '../choices/index.ts';
import type { PointChoice } from '../scenario/index.ts';

/** Returns `hold controller-manager Pod` for any delay of what a process sees of a kind, and otherwise the fault with its process and target. */
export function effectOf({ at, injectedFault }: PointChoice): string {
  const { sort, process, who } = whoseOf(at);
  if (sort === 'see') return `hold ${process} ${who}`;
  if (sort !== 'actor') return `${injectedFault.do} ${process} ${who}`;
  const [, , subject = '', object = ''] = at.split(' ');
  return subject === 'sees' ? `hold ${process} ${object}` : `${object === 'writes' ? 'late' : 'hold'} ${process} ${subject}`;
}
