/**
 * Leaves out a choice that others need only for their addresses: after a crash, say, the same decision is counted one higher. A choice
 * that loses its point gets the point that came in its place; those after it move up by one.
 */
import { sortOf, whoseOf } from '../../choices/index.ts';
import type { PointChoice } from '../../scenario/index.ts';

/** Runs that it needs. */
export interface Reproduction {
  /** Whether the failure still reproduces. */
  breaks(choices: readonly PointChoice[]): boolean;
  /** The points of a run with these choices, in order. */
  addresses(choices: readonly PointChoice[]): readonly string[];
}

/** Places on either side of where a choice stood that are tried. */
const AROUND = [0, -1, 1] as const;

/** Fewer choices, some of them moved; the same ones where none can go. */
export function resettled(choices: readonly PointChoice[], reproduction: Reproduction): readonly PointChoice[] {
  let left = choices;
  for (let went = true; went && left.length > 1;) {
    went = false;
    const before = reproduction.addresses(left);
    for (let at = 0; at < left.length; at++) {
      const fewer = without(left, at, before, reproduction);
      if (fewer === undefined) continue;
      left = fewer;
      went = true;
      break;
    }
  }
  return left;
}

function without(
  choices: readonly PointChoice[],
  at: number,
  before: readonly string[],
  reproduction: Reproduction,
): readonly PointChoice[] | undefined {
  const rest = choices.filter((_, each) => each !== at);
  const now = reproduction.addresses(rest);
  const closed = closedUp(rest, choices[at], before, now);
  if (closed !== undefined && reproduction.breaks(closed)) return closed;
  const there = new Set(now);
  const lost = rest.find((choice) => sortOf(choice.at) !== 'actor' && !there.has(choice.at));
  if (lost === undefined) return undefined;
  const alike = now.filter((address) => isAlike(address, lost.at));
  const rank = before.filter((address) => isAlike(address, lost.at)).indexOf(lost.at);
  for (const around of AROUND) {
    const address = alike[rank + around];
    if (address === undefined || rest.some((choice) => choice.at === address)) continue;
    const moved = rest.map((choice) => (choice === lost ? { at: address, injectedFault: lost.injectedFault } : choice));
    if (reproduction.breaks(moved)) return moved;
  }
  // One that left no point behind is no longer needed either, or the whole is not.
  return undefined;
}

/** Those after the one that is left out, each one place further ahead among the points like it; undefined: there are none. */
function closedUp(
  rest: readonly PointChoice[],
  gone: PointChoice | undefined,
  before: readonly string[],
  now: readonly string[],
): readonly PointChoice[] | undefined {
  if (gone === undefined) return undefined;
  const [were, are] = [before, now].map((addresses) => addresses.filter((address) => isAlike(address, gone.at)));
  if (were === undefined || are === undefined) return undefined;
  const from = were.indexOf(gone.at);
  let moves = false;
  const closed = rest.map((choice) => {
    const rank = isAlike(choice.at, gone.at) ? were.indexOf(choice.at) : -1;
    const address = rank > from ? are[rank - 1] : undefined;
    if (address === undefined) return choice;
    moves = true;
    return { at: address, injectedFault: choice.injectedFault };
  });
  return moves && new Set(closed.map((each) => each.at)).size === closed.length ? closed : undefined;
}

function isAlike(a: string, b: string): boolean {
  const [left, right] = [whoseOf(a), whoseOf(b)];
  return left.sort === right.sort && left.process === right.process && left.who === right.who;
}
