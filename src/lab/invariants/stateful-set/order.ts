/** In which order pods of an OrderedReady set come and go. */
import type { StatefulSet } from '../../../cluster/api/index.ts';
import type { Change } from '../../../cluster/store/index.ts';
import type { Facts, Invariant, Violation } from '../invariant.ts';
import { asPod, CONTROLLER, createVersions, GRACE_MS, isDying, isOrdered, nameOf, placeOf, setOf, type Place } from './reading.ts';
import { createRosters, type Roster } from './roster.ts';

/** Judges what the controller does to a pod of an ordered set, by the other pods as they were before; a sentence, or whether anything was at stake. */
const ofOrderedPods = (about: Pick<Invariant, 'name' | 'description'>, when: (change: Change) => boolean, judge: (place: Place, roster: Roster | undefined, versions: readonly StatefulSet[], facts: Facts) => string | boolean): Invariant => ({
  ...about, temporal: 'always', kinds: ['StatefulSet', 'Pod'],
  check() {
    const rosters = createRosters();
    const versions = createVersions();
    let witnesses = 0;
    return {
      get witnesses() { return witnesses; },
      onChange(change, facts, controller): Violation | undefined {
        versions.hear(change);
        const pod = asPod(change.object);
        const place = placeOf(pod);
        const set = pod === undefined ? undefined : setOf(pod, facts);
        const answer = pod === undefined || place === undefined || set === undefined || controller !== CONTROLLER || !isOrdered(set) || !when(change) ? false : judge(place, rosters.of(place.setUid), versions.of(place.setUid), facts);
        rosters.hear(change, controller);
        if (answer === true) witnesses++;
        return typeof answer === 'string' && pod !== undefined ? { message: `pod ${nameOf(pod)} ${answer}`, object: pod } : undefined;
      },
    };
  },
});

export const startsInOrder = ofOrderedPods(
  { name: 'stateful-set/starts-in-order', description: 'With OrderedReady a pod is created only when all before it are running and ready (or were, when the decision was made).' },
  ({ type }) => type === 'ADDED',
  ({ ordinal }, roster, _, { now }) => {
    if (ordinal === 0) return false;
    // All that are well stand below it: the usual case, without a look at each.
    if (roster !== undefined && roster.wellCount === ordinal && roster.highest < ordinal) return true;
    for (let before = 0; before < ordinal; before++) {
      const seat = roster?.seats.get(before);
      if (seat?.well === true) continue;
      if (seat?.lastWellAt === undefined || now - seat.lastWellAt > GRACE_MS) return `was created while ${before} was ${seat?.present === true ? 'not ready' : 'missing'}`;
    }
    return true;
  },
);

export const stopsInReverse = ofOrderedPods(
  { name: 'stateful-set/stops-in-reverse', description: 'With OrderedReady pods that are too many go from the highest ordinal down, each when the one above it is gone.' },
  ({ type, object, previous }) => type === 'MODIFIED' && previous !== undefined && !isDying(previous) && isDying(object),
  ({ ordinal }, roster, versions, { now }) => {
    if (roster === undefined || !versions.every(({ spec }) => ordinal >= spec.replicas)) return false;
    for (let above = ordinal + 1; above <= roster.highest; above++) {
      const seat = roster.seats.get(above);
      if (seat?.present === true && now - seat.createdAt > GRACE_MS) return `was asked to go while ${above} was still there`;
    }
    return true;
  },
);
