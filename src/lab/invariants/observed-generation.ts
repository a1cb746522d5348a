/** An invariant of status.observedGeneration for any kind. */
import { type Invariant, type Violation, checking } from './invariant.ts';
import { observedIn } from './versions.ts';

/** `prefix`: the first part of the invariant's name. */
export const observedGenerationIsTrue = (kind: string, prefix: string): Invariant => ({
  name: `${prefix}/observed-generation-is-true`,
  description: `A ${kind}'s status.observedGeneration is never higher than its generation, and never decreases.`,
  temporal: 'always',
  kinds: [kind],
  check: checking((exercised) => ({
    describe: () => undefined,
    onChange({ type, object, previous }): Violation | undefined {
      if (type !== 'MODIFIED') return undefined;
      const { namespace = '', name, generation = 0 } = object.metadata;
      const observed = observedIn(object);
      const who = `${kind} ${namespace}/${name}`;
      if (observed > generation)
        return { message: `${who} has observedGeneration ${observed}, and its generation is ${generation}`, object };
      const before = observedIn(previous);
      if (observed < before) return { message: `${who} had observedGeneration ${before}, and has ${observed} now`, object };
      return exercised();
    },
  })),
});
