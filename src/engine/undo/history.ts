/**
 * The moments of a world. A moment holds the writes that led to it from the moment before, so the moments form a tree, and going to one
 * takes back the writes up to the common ancestor and makes those behind it again. Nothing is copied.
 */
import { newLog, recordTo, takeBack, takeForward, type Log } from './log.ts';

/** A moment of a world: valid as long as the world exists. */
export interface Moment {
  /** The number of moments before it. */
  readonly nth: number;
  readonly parent: Moment | undefined;
}

interface Logged extends Moment {
  parent: Logged | undefined;
  log: Log;
}

export interface History {
  /** Notes writes from now on as those of this world; those of one world at a time are noted. */
  enter(): void;
  /** Notes nothing until `enter`: writes to the world are then not taken back. */
  leave(): void;
  /** The present moment. */
  here(): Moment;
  /** Goes to a moment, back or forward. What was written since the last moment is lost. */
  go(to: Moment): void;
  /** Forgets what led to a moment: nothing before it can be gone to. Logs of long runs would fill the memory. */
  forgetBefore(moment: Moment): void;
}

/** Notes nothing from now on: a world that is set up, or used without a history, is not part of another one. */
export const noteNothing = (): void => recordTo(undefined);

/** Begins the history of a world at its present state. */
export function beginHistory(): History {
  let at: Logged = { nth: 0, parent: undefined, log: newLog() };
  let open = newLog();
  const known = new WeakSet<Moment>([at]);
  const isLogged = (moment: Moment): moment is Logged => known.has(moment);
  return {
    enter: () => recordTo(open),
    leave: noteNothing,
    here() {
      if (open.used === 0) return at;
      at = { nth: at.nth + 1, parent: at, log: open };
      known.add(at);
      open = newLog();
      recordTo(open);
      return at;
    },
    go(to) {
      if (!isLogged(to)) throw new Error('a moment of another world');
      recordTo(undefined);
      takeBack(open);
      open = newLog();
      const ahead: Logged[] = [];
      let goal: Logged = to;
      for (; goal.nth > at.nth; goal = parentOf(goal)) ahead.push(goal);
      while (at !== goal) {
        takeBack(at.log);
        at = parentOf(at);
        if (at.nth < goal.nth) {
          ahead.push(goal);
          goal = parentOf(goal);
        }
      }
      for (const each of ahead.reverse()) takeForward(each.log);
      at = to;
      recordTo(open);
    },
    forgetBefore(moment) {
      if (!isLogged(moment)) return;
      moment.parent = undefined;
      moment.log = newLog();
    },
  };
}

function parentOf({ parent }: Logged): Logged {
  if (parent === undefined) throw new Error('a moment that was forgotten');
  return parent;
}
