/** Livelock and starvation in words. */
import { formatDurationMs } from '../../schema/values/index.ts';
import { withoutChance } from '../trace/index.ts';
import type { Livelock, Move } from './livelocks.ts';
import type { Starvation } from './starvation.ts';

const MOST_LINES = 12;

/** A headline, and a line for each write between two visits. */
export function livelockText({ visits, moves }: Livelock): { readonly message: string; readonly detail: readonly string[] } {
  const [first, last] = [moves[0], moves.at(-1)];
  const takes = first === undefined || last === undefined || last.at === first.at ? '' : `, ${formatDurationMs(last.at - first.at)} long`;
  const lines = moves.slice(0, MOST_LINES).map(moveText);
  const more = moves.length - lines.length;
  return {
    message: `it goes round in circles: ${visits} times it was as before, with ${moves.length === 1 ? 'a write' : `${moves.length} writes`} between${takes}`,
    detail: [...lines.map((line) => `  ${line}`), ...(more > 0 ? [`  and ${more} more`] : [])],
  };
}

const moveText = ({ actor, controller, request, why }: Move): string =>
  `${controller ?? actor}: ${withoutChance(request)}${why === undefined ? '' : `, because "${why}"`}`;

/** A headline, and what fails. */
export const starvationText = ({
  process,
  controller,
  key,
  failures,
  said,
  why,
}: Starvation): { readonly message: string; readonly detail: readonly string[] } => ({
  message: `${controller} in ${process} gets nowhere with ${key}: it has failed ${failures} times in a row, and no fault is about`,
  detail: [...(said === undefined ? [] : [`  the server says: ${said}`]), `  it decided so because "${why}"`],
});
