/** The format of invariants that a scenario defines: the condition, when it must hold, and for which objects. */
import { duration, expression, list, matching, object, required, text } from './field-helpers.ts';
import type { Fields } from './fields.ts';

const condition = (description: string) => expression(description, 'change');

const INVARIANT_FIELDS = {
  name: required(
    matching('Its name, which no other invariant has.', '^[A-Za-z0-9][A-Za-z0-9._/-]{0,252}$', 'a name of letters, digits, -, _, . and /'),
  ),
  description: text('One sentence for reports; absent: the condition itself.'),
  foreach: list(
    'The condition is about each object of these kinds, as self; old is its revision before the change, null after its creation.',
    { type: 'name', of: 'kinds', description: 'A kind.' },
    { orOne: true, minItems: 1 },
  ),
  where: expression('With foreach: only objects for which this holds.', 'self'),
  always: condition('Holds after every change.'),
  eventually: condition('Becomes true: for each object within the time from its creation, without foreach from the start.'),
  stable: condition('Holds at the end; with within, continuously from that time on.'),
  sometimes: condition('Holds at least once.'),
  within: duration('For eventually and stable: the time limit. Absent: the end of the run.'),
} as const satisfies Fields;

/** The temporal operators. */
export const TEMPORALS = ['always', 'eventually', 'stable', 'sometimes'] as const;

/** An item of `spec.invariants` that is no name. */
export const INVARIANT = object('An invariant of this scenario: a condition over objects and changes.', INVARIANT_FIELDS, {
  exactlyOneOf: TEMPORALS,
  atMostOneOf: [
    ['within', 'always'],
    ['within', 'sometimes'],
  ],
});
