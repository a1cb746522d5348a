/** What a rolling update may replace, and how much of it at a time. */
import type { StatefulSet } from '../../../cluster/api/index.ts';
import { scaledIntOrPercent } from '../../../cluster/values/index.ts';
import type { Invariant, Violation } from '../invariant.ts';
import { asPod, CONTROLLER, createVersions, GRACE_MS, isDying, isOrdered, nameOf, partitionOf, placeOf, revisionOf, setOf } from './reading.ts';
import { createRosters, type Roster } from './roster.ts';

export const partitionRespected: Invariant = {
  name: 'stateful-set/partition-respected',
  description: 'A pod below the partition of a rolling update is made of the current revision, not of the update.',
  temporal: 'always',
  kinds: ['StatefulSet', 'Pod'],
  check() {
    const versions = createVersions();
    let witnesses = 0;
    return {
      get witnesses() { return witnesses; },
      onChange(change, facts, controller): Violation | undefined {
        versions.hear(change);
        const pod = asPod(change.object);
        const place = placeOf(pod);
        const set = pod === undefined ? undefined : setOf(pod, facts);
        if (change.type !== 'ADDED' || pod === undefined || place === undefined || set === undefined || controller !== CONTROLLER) return undefined;
        const { status, spec } = set;
        if (spec.updateStrategy.type !== 'RollingUpdate' || place.ordinal >= partitionOf(set) || status.currentRevision === undefined) return undefined;
        // Where somebody has deleted what is recorded of the current template, nothing is left to make a pod of but the update.
        if (facts.get('ControllerRevision', `${pod.metadata.namespace ?? ''}/${status.currentRevision}`) === undefined) return undefined;
        const known = versions.of(place.setUid);
        if (revisionOf(pod) !== status.currentRevision && known.every((version) => place.ordinal < partitionOf(version))) return { message: `pod ${nameOf(pod)} is below partition ${partitionOf(set)}, yet it was made of ${revisionOf(pod)}, not of ${status.currentRevision}`, object: pod };
        if (status.currentRevision !== status.updateRevision) witnesses++;
        return undefined;
      },
    };
  },
};

const maxUnavailable = ({ spec }: StatefulSet, gated: boolean): number => {
  const value = gated ? scaledIntOrPercent(spec.updateStrategy.rollingUpdate?.maxUnavailable ?? 1, spec.replicas, true) : undefined;
  return value?.error === undefined ? Math.max(1, value?.value ?? 1) : 1;
};

/** Wanted pods from an ordinal on, besides one, that are not well and were not when the decision was made, either because the update itself took them. */
function unavailableBesides(roster: Roster, ordinal: number, from: number, replicas: number, now: number): number {
  let count = 0;
  for (let other = from; other < replicas; other++) {
    const seat = roster.seats.get(other);
    if (other === ordinal || seat?.well === true) continue;
    if (seat === undefined || seat.taken || seat.lastWellAt === undefined || now - seat.lastWellAt > GRACE_MS) count++;
  }
  return count;
}

export const maxUnavailableRespected: Invariant = {
  name: 'stateful-set/max-unavailable-respected',
  description: 'A rolling update takes a well pod down only while fewer than maxUnavailable pods are down; without its gate one, and in parallel only those above it count.',
  temporal: 'always',
  kinds: ['StatefulSet', 'Pod'],
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
        const roster = place === undefined ? undefined : rosters.of(place.setUid);
        const wasWell = place !== undefined && roster?.seats.get(place.ordinal)?.well === true;
        let broken: Violation | undefined;
        if (change.type === 'MODIFIED' && controller === CONTROLLER && wasWell && pod !== undefined && isDying(pod) && set !== undefined && roster !== undefined && versions.of(place.setUid).every(({ spec }) => place.ordinal < spec.replicas)) {
          const gated = facts.gates['MaxUnavailableStatefulSet'] === true;
          const most = Math.max(...versions.of(place.setUid).map((version) => maxUnavailable(version, gated)));
          const from = gated || isOrdered(set) ? 0 : place.ordinal + 1;
          const down = roster.wellCount >= set.spec.replicas ? 0 : unavailableBesides(roster, place.ordinal, from, Math.min(...versions.of(place.setUid).map(({ spec }) => spec.replicas)), facts.now);
          if (down >= most) broken = { message: `pod ${nameOf(pod)} was taken down while ${down} other pods were down, and only ${most} may be`, object: pod };
          else witnesses++;
        }
        rosters.hear(change, controller);
        return broken;
      },
    };
  },
};
