/** What the status of a kind may claim to have seen. */
import { type Invariant, type Violation, withExercised } from './invariant.ts';
import { observedIn } from './versions.ts';

/** `prefix` begins the invariant's name. */
export const observedGenerationIsTrue = (kind: string, prefix: string): Invariant => ({
  name: `${prefix}/observed-generation-is-true`,
  description: `A ${kind}'s status never claims to have observed a generation that does not exist yet, nor goes back to an older one.`,
  temporal: 'always',
  kinds: [kind],
  check() {
    let exercised = 0;
    return withExercised(
      { exercised: () => exercised },
      {
        describe: () => undefined,
        onChange({ type, object, previous }): Violation | undefined {
          if (type !== 'MODIFIED') return undefined;
          const { namespace = '', name, generation = 0 } = object.metadata;
          const observed = observedIn(object);
          const who = `${kind} ${namespace}/${name}`;
          if (observed > generation) return { message: `${who} says it has observed generation ${observed}, of ${generation}`, object };
          const before = observedIn(previous);
          if (observed < before) return { message: `${who} had observed generation ${before} and says ${observed} now`, object };
          exercised++;
          return undefined;
        },
      },
    );
  },
});
