/** Invariants of each object of a kind in a settled cluster. */
import { isOf, type ObjectNamed } from '../../apiserver/kinds/index.ts';
import { type Facts, type Invariant, type Violation, checking } from './invariant.ts';

/**
 * `judge` returns the rest of a sentence about a violation, true where the property held, undefined where it was not exercised. Objects
 * that are being deleted are skipped.
 */
export const atRest = <K extends string>(
  kind: K,
  about: Pick<Invariant, 'name' | 'description'>,
  judge: (object: ObjectNamed<K>, facts: Facts) => string | true | undefined,
): Invariant => ({
  ...about,
  temporal: 'stable',
  kinds: [kind],
  check: checking((exercised) => ({
    describe: () => undefined,
    onEnd(facts, settled): Violation | undefined {
      if (!settled) return undefined;
      for (const object of facts.list(kind)) {
        const { deletionTimestamp, namespace = '', name } = object.metadata;
        if (!isOf(kind, object) || deletionTimestamp !== undefined) continue;
        const answer = judge(object, facts);
        if (typeof answer === 'string') return { message: `${kind} ${namespace}/${name} ${answer}`, object };
        if (answer === true) exercised();
      }
      return undefined;
    },
  })),
});
