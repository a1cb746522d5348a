/** The pods of each set by ordinal, and since when one that is not well is not: kept up change by change for invariants that ask about all of them at once. */
import type { Change } from '../../../apiserver/store/index.ts';
import { asPod, CONTROLLER, isDying, isReady, isWell, placeOf } from './reading.ts';

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
  readonly highest: number;
}

interface Entry {
  readonly seats: Map<number, Seat>;
  wellCount: number;
  highest: number;
}

export interface Rosters {
  hear(change: Change, controller: string | undefined): void;
  of(setUid: string): Roster | undefined;
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
      if (roster === undefined) rosters.set(place.setUid, (roster = { seats: new Map(), wellCount: 0, highest: -1 }));
      const before = roster.seats.get(place.ordinal);
      const was = asPod(previous);
      const well = type !== 'DELETED' && placeOf(pod) !== undefined && isWell(pod);
      const goes = was !== undefined && !isDying(was) && (type === 'DELETED' || isDying(pod));
      const wasReady = was !== undefined && isReady(was) && !isDying(was);
      roster.wellCount += Number(well) - Number(before?.well === true);
      roster.highest = Math.max(roster.highest, place.ordinal);
      roster.seats.set(place.ordinal, {
        well,
        present: type !== 'DELETED',
        lastWellAt: well || wasReady ? at : before?.lastWellAt,
        taken: goes ? controller === CONTROLLER : type === 'ADDED' ? (before?.taken ?? false) : (before?.taken ?? false) && !well,
        createdAt: type === 'ADDED' ? at : (before?.createdAt ?? at),
      });
    },
    of: (setUid) => rosters.get(setUid),
  };
}
