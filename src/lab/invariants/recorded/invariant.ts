/** The comparison of a run with a record, as an invariant: the first difference breaks it. */
import type { Recorded } from '../../scenario/index.ts';
import { present } from '../../../schema/values/index.ts';
import { type Invariant, type Violation, withExercised } from '../invariant.ts';
import { createComparison, describeDifference, type Difference } from './comparison.ts';

/** Returns the invariant of a record. */
export function recordedInvariant(recorded: Recorded): Invariant {
  const violation = (difference: Difference | undefined): Violation | undefined =>
    difference === undefined
      ? undefined
      : { ...describeDifference(difference, recorded.withinMs), ...present({ object: difference.run?.object }) };
  const { source } = recorded;
  return {
    name: 'recorded-writes',
    temporal: 'always',
    description: 'The controllers, scheduler and nodes write what those of the recorded cluster wrote.',
    kinds: ['*'],
    ...present({ source }),
    check() {
      const comparison = createComparison(recorded);
      const dueAt = { startAt: 0 };
      return withExercised(
        { exercised: () => comparison.met },
        {
          onChange(change, facts, controller, actor) {
            dueAt.startAt = facts.startAt;
            if (facts.now < facts.startAt) return undefined;
            const [first] = comparison.saw(change, facts.now - facts.startAt, controller, actor);
            return violation(first);
          },
          deadline() {
            const due = comparison.nextDue();
            return due === undefined || dueAt.startAt === 0 ? undefined : dueAt.startAt + due;
          },
          onTime: (facts) => violation(comparison.overdue(facts.now - facts.startAt)[0]),
          onEnd: (facts) => violation(comparison.overdue(facts.now - facts.startAt)[0]),
        },
      );
    },
  };
}
