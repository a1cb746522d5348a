/** What must be so of each object of a kind when everything has settled. */
import { isOf, type ObjectNamed } from '../../apiserver/kinds/index.ts';
import { type Facts, type Invariant, type Violation, withExercised } from './invariant.ts';

/**
 * `judge` says what is wrong as the rest of a sentence, true where it held, undefined where nothing was exercised. Objects that are going
 * are not asked.
 */
export const atRest = <K extends string>(
  kind: K,
  about: Pick<Invariant, 'name' | 'description'>,
  judge: (object: ObjectNamed<K>, facts: Facts) => string | true | undefined,
): Invariant => ({
  ...about,
  temporal: 'stable',
  kinds: [kind],
  check() {
    let exercised = 0;
    return withExercised(
      { exercised: () => exercised },
      {
        describe: () => undefined,
        onEnd(facts, settled): Violation | undefined {
          if (!settled) return undefined;
          for (const object of facts.list(kind)) {
            const { deletionTimestamp, namespace = '', name } = object.metadata;
            if (!isOf(kind, object) || deletionTimestamp !== undefined) continue;
            const answer = judge(object, facts);
            if (typeof answer === 'string') return { message: `${kind} ${namespace}/${name} ${answer}`, object };
            if (answer === true) exercised++;
          }
          return undefined;
        },
      },
    );
  },
});
