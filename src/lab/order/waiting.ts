/**
 * The pending events at a step of a run, and the choices that put one of them first, or later. The run is replayed up to the step, and a
 * little further, so that each event reaches its choice point and its address is known. To put one event first, all earlier ones are held
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

/** A pending event, with the choices that change its place in the order. */
export interface Waiting {
  /** As a clause: `job decides about pi`. */
  readonly what: string;
  /** When it happens without new choices, milliseconds since the epoch. */
  readonly at: number;
  readonly process?: string;
  /** The key of its object, as in the store or the work queue: `default/pi`. */
  readonly key?: string;
  /** The choices that put it first; empty: it is the first. Absent: none can, and `because` gives the reason. */
  readonly first?: readonly Delay[];
  readonly because?: string;
  /** Returns the choices that delay it by so much; absent: it cannot be held. */
  later?(ms: number): readonly Delay[];
}

/** Returns the pending events at a step (0: the start) of a run of a scenario, the next first. */
export function waitingAt(scenario: Scenario, seed: number, step: number, own?: Definitions): readonly Waiting[] {
  const reached: Point[] = [];
  const replay = replayTo(scenario, seed, step, { chooser: listening(scenario, reached), ...(own === undefined ? {} : { with: own }) });
  const upcoming = upcomingIn(replay.cluster, reached);
  const last = upcoming.at(-1)?.at;
  if (last === undefined) return [];
  const from = reached.length;
  // The points of watch events are reached when they are sent, those of decisions and writes when they are due.
  while (replay.cluster.now <= last && replay.goOn(replay.step + 1));
  const ahead = reached.slice(from);
  const held = upcoming.map((each): Held => {
    const { address } =
      (each.stream === undefined ? ahead.find((point) => each.isAt?.(point)) : reached.findLast((point) => each.isAt?.(point))) ?? {};
    return address === undefined ? each : { ...each, what: `${each.what}${requestIn(address)}`, address };
  });
  const before = new Map((scenario.choices ?? []).map(({ at, injectedFault }) => [at, injectedFault]));
  return held.map((each, at) => waitingOf(each, held.slice(0, at), before));
}

/** Returns `: create Pod` for a request; the empty string for other points. */
const requestIn = (address: string): string => (sortOf(address) === 'write' ? (/: [^:]*(?= #\d+$)/.exec(address)?.[0] ?? '') : '');

/** A strategy that makes the scenario's choices, and records the points that the run reaches. */
function listening({ choices = [] }: Scenario, reached: Point[]): Chooser {
  const { slow, choose } = replaying(choices);
  return {
    slow,
    choose(point, now) {
      reached.push(point);
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

/** Returns why an event cannot be put before the earlier ones; undefined: it can. */
function hindrance(each: Held, earlier: readonly Held[]): string | undefined {
  if (each.stream !== undefined && earlier.some(({ stream }) => stream === each.stream)) return 'the events of one watch keep their order';
  const fixed = earlier.find(({ address }) => address === undefined);
  return fixed === undefined ? undefined : `an earlier event cannot be held: ${fixed.what}`;
}
