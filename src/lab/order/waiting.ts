/**
 * The pending events at a step of a run, and the choices that put one of them first, or later. The run is replayed up to the step, and a
 * little further: there each event reaches its point, and so shows its address. To put one first, all that would come before it are held
 * until it has happened.
 */
import type { Chooser, Point } from '../choices/index.ts';
import { replaying, sortOf } from '../choices/index.ts';
import type { Definitions } from '../definitions/index.ts';
import type { InjectedFault, Scenario } from '../scenario/index.ts';
import { replayTo } from '../simulation/index.ts';
import { upcomingIn } from './upcoming.ts';
import { held, letPass, type Held } from './pass.ts';
import type { Delay } from './typed.ts';

/** Something that waits, with what could be done about its turn. */
export interface Waiting {
  /** As a clause: `job decides about pi`. */
  readonly what: string;
  /** When it happens by itself, milliseconds since the epoch. */
  readonly at: number;
  readonly process?: string;
  /** What it is about, as a store or a queue calls it: `default/pi`. */
  readonly key?: string;
  /** What makes it go first; empty: it does so by itself. Absent: it cannot, and `because` says why. */
  readonly first?: readonly Delay[];
  readonly because?: string;
  /** What makes it come so much later; absent: nothing holds it. */
  later?(ms: number): readonly Delay[];
}

/** What waits at a step (0: the start) of a run of a scenario, the next first. */
export function waitingAt(scenario: Scenario, seed: number, step: number, own?: Definitions): readonly Waiting[] {
  const heard: Point[] = [];
  const replay = replayTo(scenario, seed, step, { chooser: listening(scenario, heard), ...(own === undefined ? {} : { with: own }) });
  const upcoming = upcomingIn(replay.cluster, heard);
  const last = upcoming.at(-1)?.at;
  if (last === undefined) return [];
  const from = heard.length;
  // News were asked about when they were sent; what is decided and written is when its turn comes.
  while (replay.cluster.now <= last && replay.goOn(replay.step + 1));
  const ahead = heard.slice(from);
  const held = upcoming.map((each): Held => {
    const { address } =
      (each.stream === undefined ? ahead.find((point) => each.isAt?.(point)) : heard.findLast((point) => each.isAt?.(point))) ?? {};
    return address === undefined ? each : { ...each, what: `${each.what}${requestIn(address)}`, address };
  });
  const before = new Map((scenario.choices ?? []).map(({ at, injectedFault }) => [at, injectedFault]));
  return held.map((each, at) => waitingOf(each, held.slice(0, at), before));
}

/** `: create Pod`, where it is a request. */
const requestIn = (address: string): string => (sortOf(address) === 'write' ? (/: [^:]*(?= #\d+$)/.exec(address)?.[0] ?? '') : '');

/** Makes the scenario's own choices, and writes down where it was asked. */
function listening({ choices = [] }: Scenario, heard: Point[]): Chooser {
  const { slow, choose } = replaying(choices);
  return {
    slow,
    choose(point, now) {
      heard.push(point);
      return choose(point, now);
    },
  };
}

function waitingOf(each: Held, earlier: readonly Held[], before: ReadonlyMap<string, InjectedFault>): Waiting {
  const { what, at, process, key, address } = each;
  const because = hindrance(each, earlier);
  return {
    what,
    at,
    ...(process === undefined ? {} : { process }),
    ...(key === undefined ? {} : { key }),
    ...(because === undefined ? { first: earlier.flatMap((other) => letPass(each, other, before)) } : { because }),
    ...(address === undefined ? {} : { later: (ms: number) => [held(address, ms, before)] }),
  };
}

/** Why one cannot go before those that come before it; undefined: it can. */
function hindrance(each: Held, earlier: readonly Held[]): string | undefined {
  if (each.stream !== undefined && earlier.some(({ stream }) => stream === each.stream)) return 'what one watch tells keeps its order';
  const fixed = earlier.find(({ address }) => address === undefined);
  return fixed === undefined ? undefined : `nothing holds what comes before it: ${fixed.what}`;
}
