/** How a scenario says an invariant of its own: what must hold, when, and of which objects. */
import { duration, text } from './field-helpers.ts';
import type { Fields } from './fields.ts';

const condition = (description: string) => ({ type: 'expression', about: 'change', description }) as const;

const INVARIANT_FIELDS = {
  name: {
    type: 'string',
    required: true,
    pattern: { source: '^[A-Za-z0-9][A-Za-z0-9._/-]{0,252}$', means: 'a name of letters, digits, -, _, . and /' },
    description: 'What it is called; no other invariant has the name.',
  },
  description: text('One sentence for people; absent: the condition itself.'),
  foreach: {
    type: 'list',
    orOne: true,
    minItems: 1,
    items: { type: 'name', of: 'kinds', description: 'A kind.' },
    description:
      'Of each object of these kinds, which is then self; old is what it was before the change, null where it has just come into being.',
  },
  where: { type: 'expression', about: 'self', description: 'With foreach: only of those for which this holds.' },
  always: condition('Holds after every change.'),
  eventually: condition('Comes true: of each object within the time from its creation, without foreach from the start.'),
  stable: condition('Holds at the end; with within, from that time on without a break.'),
  sometimes: condition('Is seen at least once.'),
  within: duration('For eventually and stable: how long it may take. Absent: to the end of the run.'),
} as const satisfies Fields;

/** One of `always`, `eventually`, `stable`, `sometimes`. */
export const TEMPORALS = ['always', 'eventually', 'stable', 'sometimes'] as const;

/** An item of `spec.invariants` that is no name. */
export const INVARIANT = {
  type: 'object',
  description: 'An invariant of this scenario: what must hold, as a condition over objects and over the change.',
  fields: INVARIANT_FIELDS,
  exactlyOneOf: TEMPORALS,
  atMostOneOf: [
    ['within', 'always'],
    ['within', 'sometimes'],
  ],
} as const;
