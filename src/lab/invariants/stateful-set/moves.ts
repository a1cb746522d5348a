/** Checks of the controller's writes to the pods of a set, against the state of the other pods before the write. */
import type { Pod, StatefulSet } from '../../../apiserver/kinds/index.ts';
import type { Change } from '../../../apiserver/store/index.ts';
import { type Facts, type Invariant, type Violation, checking } from '../invariant.ts';
import { createVersions } from '../versions.ts';
import { asPod, CONTROLLER, nameOf, placeOf, setOf, type Place } from './reading.ts';
import { createSetPodsIndex, type SetPods } from './pods.ts';

/** One write of the controller to a pod of a set. */
export interface Move {
  readonly change: Change;
  readonly pod: Pod;
  readonly place: Place;
  /** The stored set. */
  readonly set: StatefulSet;
  /** The versions on which the decision may be based. */
  readonly versions: readonly StatefulSet[];
  /** The pods of the set, without this write. */
  readonly setPods: SetPods | undefined;
  readonly facts: Facts;
}

/** `judge` returns the rest of a sentence about the pod, or whether the property was exercised. */
export const ofPodsOfSets = (about: Pick<Invariant, 'name' | 'description'>, judge: (move: Move) => string | boolean): Invariant => ({
  ...about,
  temporal: 'always',
  kinds: ['StatefulSet', 'Pod'],
  check: checking((exercised) => {
    const setPodsIndex = createSetPodsIndex();
    const versions = createVersions('StatefulSet');
    const moveOf = (change: Change, facts: Facts): Move | undefined => {
      const pod = asPod(change.object);
      const place = placeOf(pod);
      const set = pod === undefined ? undefined : setOf(pod, facts);
      return pod === undefined || place === undefined || set === undefined
        ? undefined
        : { change, pod, place, set, versions: versions.of(place.setUid), setPods: setPodsIndex.of(place.setUid), facts };
    };
    return {
      describe: () => [setPodsIndex.describe(), versions.describe()],
      onChange(change, facts, controller): Violation | undefined {
        versions.observe(change);
        const move = controller === CONTROLLER ? moveOf(change, facts) : undefined;
        const answer = move !== undefined && judge(move);
        setPodsIndex.observe(change, controller);
        if (answer === true) exercised();
        return typeof answer === 'string' && move !== undefined
          ? { message: `pod ${nameOf(move.pod)} ${answer}`, object: move.pod }
          : undefined;
      },
    };
  }),
});
