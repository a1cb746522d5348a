/**
 * The pods of each set by ordinal, and since when one that is not well is not: kept up change by change for invariants that ask about all
 * of
 * them at once. What becomes true by mere passing of time stands in a queue until somebody asks.
 */
import type { Change } from '../../../apiserver/store/index.ts';
import { createMarks, type Marks } from './marks.ts';
import { asPod, CONTROLLER, GRACE_MS, isDying, isReady, isWell, placeOf } from './reading.ts';

export interface Seat {
  readonly present: boolean;
  readonly well: boolean;
  /** When it was last well; undefined: never. */
  readonly lastWellAt: number | undefined;
  /** The set's own controller took it away. */
  readonly taken: boolean;
  readonly createdAt: number;
}

export interface Roster {
  readonly seats: ReadonlyMap<number, Seat>;
  /** Ordinals that are present and well. */
  readonly wellCount: number;
  /** Those that are well, or were so lately that a decision may rest on it. */
  lately(now: number): Pick<Marks, 'below' | 'firstFree'>;
  /** The same without those that the controller itself took away. */
  standing(now: number): Pick<Marks, 'below'>;
  /** Those that are there, and have been for so long that a decision must know of them. */
  known(now: number): Pick<Marks, 'firstFrom'>;
}

/** A seat that may have to be looked at again, at an instant. */
interface Due {
  readonly at: number;
  readonly ordinal: number;
}

class Entry implements Roster {
  readonly seats = new Map<number, Seat>();
  wellCount = 0;
  readonly #lately = createMarks();
  readonly #standing = createMarks();
  readonly #known = createMarks();
  /** In order of time, since every seat waits for as long. */
  #due: Due[] = [];
  #next = 0;

  lately(now: number): Marks {
    this.#passTo(now);
    return this.#lately;
  }
  standing(now: number): Marks {
    this.#passTo(now);
    return this.#standing;
  }
  known(now: number): Marks {
    this.#passTo(now);
    return this.#known;
  }

  seat(ordinal: number, seat: Seat, now: number): void {
    this.#passTo(now);
    this.wellCount += Number(seat.well) - Number(this.seats.get(ordinal)?.well === true);
    this.seats.set(ordinal, seat);
    this.#mark(ordinal, seat, now);
    // One look after the grace is over settles both how long ago it was well and how long it has been there.
    if (seat.lastWellAt === now || seat.createdAt === now) this.#due.push({ at: now + GRACE_MS + 1, ordinal });
  }

  #mark(ordinal: number, { present, well, lastWellAt, taken, createdAt }: Seat, now: number): void {
    const lately = well || (lastWellAt !== undefined && now - lastWellAt <= GRACE_MS);
    this.#lately.set(ordinal, lately);
    this.#standing.set(ordinal, well || (lately && !taken));
    this.#known.set(ordinal, present && now - createdAt > GRACE_MS);
  }

  #passTo(now: number): void {
    for (let due = this.#due[this.#next]; due !== undefined && due.at <= now; due = this.#due[++this.#next]) {
      const seat = this.seats.get(due.ordinal);
      if (seat !== undefined) this.#mark(due.ordinal, seat, now);
    }
    if (this.#next <= this.#due.length / 2) return;
    this.#due = this.#due.slice(this.#next);
    this.#next = 0;
  }
}

export interface Rosters {
  hear(change: Change, controller: string | undefined): void;
  of(setUid: string): Roster | undefined;
  /** What it remembers: all else follows from the seats and the time. */
  describe(): unknown;
}

export function createRosters(): Rosters {
  const rosters = new Map<string, Entry>();
  return {
    hear({ type, kind, object, previous, at }, controller) {
      if (kind === 'StatefulSet' && type === 'DELETED') rosters.delete(object.metadata.uid);
      const pod = asPod(object);
      const place = placeOf(pod) ?? placeOf(asPod(previous));
      if (pod === undefined || place === undefined) return;
      let roster = rosters.get(place.setUid);
      if (roster === undefined) rosters.set(place.setUid, (roster = new Entry()));
      const before = roster.seats.get(place.ordinal);
      const was = asPod(previous);
      const well = type !== 'DELETED' && placeOf(pod) !== undefined && isWell(pod);
      const goes = was !== undefined && !isDying(was) && (type === 'DELETED' || isDying(pod));
      const wasReady = was !== undefined && isReady(was) && !isDying(was);
      roster.seat(
        place.ordinal,
        {
          well,
          present: type !== 'DELETED',
          lastWellAt: well || wasReady ? at : before?.lastWellAt,
          taken: goes ? controller === CONTROLLER : type === 'ADDED' ? (before?.taken ?? false) : (before?.taken ?? false) && !well,
          createdAt: type === 'ADDED' ? at : (before?.createdAt ?? at),
        },
        at,
      );
    },
    of: (setUid) => rosters.get(setUid),
    describe: () => new Map([...rosters].map(([uid, { seats }]) => [uid, seats])),
  };
}
