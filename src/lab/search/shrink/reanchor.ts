/**
 * Removes a choice that others need only for their addresses: after a crash, for example, the same decision has a higher count. A choice
 * whose point is lost moves to the point that took its place, and the later ones move up by one.
 */
import { sortOf, whoseOf } from '../../choices/index.ts';
import type { PointChoice } from '../../scenario/index.ts';

/** The runs that the re-anchoring makes. */
export interface Reproduction {
  breaks(choices: readonly PointChoice[]): boolean;
  addresses(choices: readonly PointChoice[]): readonly string[];
}

/** The offsets from the former place of a choice that are tried. */
const AROUND = [0, -1, 1] as const;

/** Returns fewer choices, some of them moved; the same choices where none can be removed. */
export function reanchored(choices: readonly PointChoice[], reproduction: Reproduction): readonly PointChoice[] {
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
  const ofActor = now.filter((address) => hasSameActor(address, lost.at));
  const rank = before.filter((address) => hasSameActor(address, lost.at)).indexOf(lost.at);
  for (const around of AROUND) {
    const address = ofActor[rank + around];
    if (address === undefined || rest.some((choice) => choice.at === address)) continue;
    const moved = rest.map((choice) => (choice === lost ? { at: address, injectedFault: lost.injectedFault } : choice));
    if (reproduction.breaks(moved)) return moved;
  }
  // A choice that cannot be moved prevents the removal.
  return undefined;
}

/** Returns the choices after the removed one at the address one rank lower among the points of its actor; undefined: there are none. */
function closedUp(
  rest: readonly PointChoice[],
  gone: PointChoice | undefined,
  before: readonly string[],
  now: readonly string[],
): readonly PointChoice[] | undefined {
  if (gone === undefined) return undefined;
  const [were, are] = [before, now].map((addresses) => addresses.filter((address) => hasSameActor(address, gone.at)));
  if (were === undefined || are === undefined) return undefined;
  const from = were.indexOf(gone.at);
  let moves = false;
  const closed = rest.map((choice) => {
    const rank = hasSameActor(choice.at, gone.at) ? were.indexOf(choice.at) : -1;
    const address = rank > from ? are[rank - 1] : undefined;
    if (address === undefined) return choice;
    moves = true;
    return { at: address, injectedFault: choice.injectedFault };
  });
  return moves && new Set(closed.map((each) => each.at)).size === closed.length ? closed : undefined;
}

function hasSameActor(a: string, b: string): boolean {
  const [left, right] = [whoseOf(a), whoseOf(b)];
  return left.sort === right.sort && left.process === right.process && left.who === right.who;
}
