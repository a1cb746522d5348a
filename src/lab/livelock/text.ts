/** Descriptions of a livelock and a starvation. */
import { formatDurationMs } from '../../schema/values/index.ts';
import { withoutChance } from '../trace/index.ts';
import type { Livelock, Move } from './livelocks.ts';
import type { Starvation } from './starvation.ts';

const MOST_LINES = 12;

/** Returns a headline, and a line for each write between two visits. */
export function livelockText({ visits, moves }: Livelock): { readonly message: string; readonly detail: readonly string[] } {
  const [first, last] = [moves[0], moves.at(-1)];
  const takes = first === undefined || last === undefined || last.at === first.at ? '' : `, ${formatDurationMs(last.at - first.at)} long`;
  const lines = moves.slice(0, MOST_LINES).map(moveText);
  const more = moves.length - lines.length;
  return {
    message: `livelock: the cluster was in one state ${visits} times, with ${moves.length === 1 ? 'a write' : `${moves.length} writes`} between${takes}`,
    detail: [...lines.map((line) => `  ${line}`), ...(more > 0 ? [`  and ${more} more`] : [])],
  };
}

const moveText = ({ actor, controller, request, why }: Move): string =>
  `${controller ?? actor}: ${withoutChance(request)}${why === undefined ? '' : `, because "${why}"`}`;

/** Returns a headline, and what fails. */
export const starvationText = ({
  process,
  controller,
  key,
  failures,
  said,
  why,
}: Starvation): { readonly message: string; readonly detail: readonly string[] } => ({
  message: `starvation: ${controller} in ${process} makes no progress with ${key}: ${failures} failures in a row, and no fault is active`,
  detail: [...(said === undefined ? [] : [`  the server answered: ${said}`]), `  its reason was "${why}"`],
});
