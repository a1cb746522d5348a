/** In which order pods of an OrderedReady set come and go. */
import { ofPodsOfSets } from './deeds.ts';
import { GRACE_MS, isDying, isOrdered } from './reading.ts';

export const startsInOrder = ofPodsOfSets(
  {
    name: 'stateful-set/starts-in-order',
    description: 'With OrderedReady a pod is created only when all before it are running and ready (or were, when the decision was made).',
  },
  ({ change: { type }, set, place: { ordinal }, roster, facts: { now } }) => {
    if (type !== 'ADDED' || !isOrdered(set) || ordinal === 0) return false;
    // All that are well stand below it: the usual case, without a look at each.
    if (roster !== undefined && roster.wellCount === ordinal && roster.highest < ordinal) return true;
    for (let before = 0; before < ordinal; before++) {
      const seat = roster?.seats.get(before);
      if (seat?.well === true) continue;
      if (seat?.lastWellAt === undefined || now - seat.lastWellAt > GRACE_MS)
        return `was created while ${before} was ${seat?.present === true ? 'not ready' : 'missing'}`;
    }
    return true;
  },
);

export const stopsInReverse = ofPodsOfSets(
  {
    name: 'stateful-set/stops-in-reverse',
    description: 'With OrderedReady pods that are too many go from the highest ordinal down, each when the one above it is gone.',
  },
  ({ change: { type, object, previous }, set, place: { ordinal }, roster, versions, facts: { now } }) => {
    if (type !== 'MODIFIED' || previous === undefined || isDying(previous) || !isDying(object) || !isOrdered(set)) return false;
    if (roster === undefined || !versions.every(({ spec }) => ordinal >= spec.replicas)) return false;
    for (let above = ordinal + 1; above <= roster.highest; above++) {
      const seat = roster.seats.get(above);
      if (seat?.present === true && now - seat.createdAt > GRACE_MS) return `was asked to go while ${above} was still there`;
    }
    return true;
  },
);
