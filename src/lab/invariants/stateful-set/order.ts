/** Invariants of the order in which pods of an OrderedReady set are created and deleted. */
import { ofPodsOfSets } from './moves.ts';
import { isDying, isOrdered } from './reading.ts';

export const startsInOrder = ofPodsOfSets(
  {
    name: 'stateful-set/starts-in-order',
    description: 'With OrderedReady a pod is created only when all before it are running and ready (or were, when the decision was made).',
  },
  ({ change: { type }, set, place: { ordinal }, setPods, facts: { now } }) => {
    if (type !== 'ADDED' || !isOrdered(set) || ordinal === 0) return false;
    const first = setPods?.lately(now).firstFree ?? 0;
    if (first < ordinal)
      return `was created while ${first} was ${setPods?.ordinals.get(first)?.present === true ? 'not ready' : 'missing'}`;
    return true;
  },
);

export const stopsInReverse = ofPodsOfSets(
  {
    name: 'stateful-set/stops-in-reverse',
    description: 'With OrderedReady surplus pods are deleted from the highest ordinal down, each when the one above it is gone.',
  },
  ({ change: { type, object, previous }, set, place: { ordinal }, setPods, versions, facts: { now } }) => {
    if (type !== 'MODIFIED' || previous === undefined || isDying(previous) || !isDying(object) || !isOrdered(set)) return false;
    if (setPods === undefined || !versions.every(({ spec }) => ordinal >= spec.replicas)) return false;
    const above = setPods.known(now).firstFrom(ordinal + 1);
    if (above !== undefined) return `was deleted while ${above} still existed`;
    return true;
  },
);
