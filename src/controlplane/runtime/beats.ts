/**
 * Renewals in closed form. A beat is a renewal that nobody sees: it only moves the revision counter on. How many there were up to an
 * instant, and which revision the last one of a lease had, is worked out when somebody asks. At one instant beats come before everything else.
 */

export interface Beat {
  /** First beat, then one every so often. Milliseconds. */
  readonly firstAt: number;
  readonly everyMs: number;
  /** Order of registration: the order of beats at one instant. */
  readonly order: number;
}

interface Group {
  readonly everyMs: number;
  /** By phase, then by order. */ readonly beats: { readonly phase: number; readonly beat: Beat }[];
  /** The latest first beat of any: later instants need no look at who began when. */ latestFirst: number;
}

export interface Beats {
  add(beat: Beat): void;
  remove(beat: Beat, now: number): void;
  /** Beats after one instant up to and including another. Every beat present must have been added before `from` or begin after it. */
  between(from: number, to: number): number;
  /** Beats after the one of `beat` at `at`, up to and including `now`. */
  after(beat: Beat, at: number, now: number): number;
  readonly size: number;
}

/** How long a removed beat still counts for questions about the past: longer than any period. */
const REMEMBER_MS = 120_000;

/** No beats yet. */
export function createBeats(): Beats {
  const groups = new Map<number, Group>();
  let ended: { readonly beat: Beat; readonly at: number }[] = [];
  let size = 0;

  /** Position of the first of a group whose (phase, order) is not below. */
  const position = (group: Group, phase: number, order: number): number => {
    let low = 0;
    let high = group.beats.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const found = group.beats[middle];
      if (found !== undefined && (found.phase < phase || (found.phase === phase && found.beat.order < order))) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  /** Beats of a group at or before an instant, counted from the epoch: a difference of two is a number of beats. */
  const upTo = (group: Group, at: number): number =>
    Math.floor(at / group.everyMs) * group.beats.length + position(group, (at % group.everyMs) + 1, -1);

  const single = ({ firstAt, everyMs }: Beat, from: number, to: number): number => {
    const count = (at: number): number => (at < firstAt ? 0 : Math.floor((at - firstAt) / everyMs) + 1);
    return count(to) - count(from);
  };

  return {
    get size() {
      return size;
    },
    add(beat) {
      let group = groups.get(beat.everyMs);
      if (group === undefined) groups.set(beat.everyMs, (group = { everyMs: beat.everyMs, beats: [], latestFirst: 0 }));
      const phase = beat.firstAt % beat.everyMs;
      group.latestFirst = Math.max(group.latestFirst, beat.firstAt);
      group.beats.splice(position(group, phase, beat.order), 0, { phase, beat });
      size++;
    },
    remove(beat, now) {
      const group = groups.get(beat.everyMs);
      const at = group?.beats.findIndex((one) => one.beat === beat) ?? -1;
      if (group === undefined || at < 0) return;
      group.beats.splice(at, 1);
      size--;
      ended = [...ended.filter((one) => now - one.at < REMEMBER_MS), { beat, at: now }];
    },
    between(from, to) {
      let count = 0;
      for (const group of groups.values()) count += upTo(group, to) - upTo(group, from);
      return count;
    },
    after(beat, at, now) {
      let count = 0;
      for (const group of groups.values()) {
        for (const other of sharing(group, at)) if (other.order > beat.order && other.firstAt <= at) count++;
        // A beat that began after `at` has its first one at firstAt, not a period earlier.
        count += upTo(group, now) - upTo(group, at);
        if (group.latestFirst > at)
          for (const { beat: other } of group.beats)
            if (other.firstAt > at)
              count -= single({ ...other, firstAt: other.firstAt % other.everyMs }, at, Math.min(now, other.firstAt - 1));
      }
      for (const { beat: other, at: endedAt } of ended) {
        count += Math.max(0, single(other, at, Math.min(now, endedAt)));
        if (other.order > beat.order && endedAt >= at && single(other, at - 1, at) === 1) count++;
      }
      return count;
    },
  };

  /** Beats of a group at exactly an instant. */
  function* sharing(group: Group, at: number): Iterable<Beat> {
    const phase = at % group.everyMs;
    for (let i = position(group, phase, -1); group.beats[i]?.phase === phase; i++) {
      const found = group.beats[i];
      if (found !== undefined) yield found.beat;
    }
  }
}
