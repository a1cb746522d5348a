/** Judging what the controller does to a set's pods, by the other pods as they were before. */
import type { Pod, StatefulSet } from '../../../apiserver/kinds/index.ts';
import type { Change } from '../../../apiserver/store/index.ts';
import { type Facts, type Invariant, type Violation, withExercised } from '../invariant.ts';
import { createVersions } from '../versions.ts';
import { asPod, CONTROLLER, nameOf, placeOf, setOf, type Place } from './reading.ts';
import { createRosters, type Roster } from './pods.ts';

/** One write of the controller to a pod of a set. */
export interface Move {
  readonly change: Change;
  readonly pod: Pod;
  readonly place: Place;
  /** As it is stored. */
  readonly set: StatefulSet;
  /** Those that the decision may rest on. */
  readonly versions: readonly StatefulSet[];
  /** The other pods, before this write. */
  readonly roster: Roster | undefined;
  readonly facts: Facts;
}

/** `judge` says what is wrong with a write, as the rest of a sentence about its pod, or whether anything was exercised. */
export const ofPodsOfSets = (about: Pick<Invariant, 'name' | 'description'>, judge: (move: Move) => string | boolean): Invariant => ({
  ...about,
  temporal: 'always',
  kinds: ['StatefulSet', 'Pod'],
  check() {
    const rosters = createRosters();
    const versions = createVersions('StatefulSet');
    let exercised = 0;
    const moveOf = (change: Change, facts: Facts): Move | undefined => {
      const pod = asPod(change.object);
      const place = placeOf(pod);
      const set = pod === undefined ? undefined : setOf(pod, facts);
      return pod === undefined || place === undefined || set === undefined
        ? undefined
        : { change, pod, place, set, versions: versions.of(place.setUid), roster: rosters.of(place.setUid), facts };
    };
    return withExercised(
      { exercised: () => exercised },
      {
        describe: () => [rosters.describe(), versions.describe()],
        onChange(change, facts, controller): Violation | undefined {
          versions.hear(change);
          const move = controller === CONTROLLER ? moveOf(change, facts) : undefined;
          const answer = move !== undefined && judge(move);
          rosters.hear(change, controller);
          if (answer === true) exercised++;
          return typeof answer === 'string' && move !== undefined
            ? { message: `pod ${nameOf(move.pod)} ${answer}`, object: move.pod }
            : undefined;
        },
      },
    );
  },
});
