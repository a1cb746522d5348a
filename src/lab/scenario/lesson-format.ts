/** What makes a step a lesson: a question before it, where to look when it has ended, what to try then. */
import { duration, text } from './field-helpers.ts';
import type { Fields } from './fields.ts';
import { anyTarget, expectation, EXPECTATION_FIELDS, WRITING_FIELDS, WRITING_VERBS } from './writing-format.ts';

const required = { required: true } as const;

const CHOICE = {
  type: 'object',
  description: 'An answer: what somebody may believe, as a statement about the cluster.',
  fields: {
    say: { ...text('The answer in words.'), ...required },
    cel: {
      ...EXPECTATION_FIELDS.cel,
      ...required,
      description: 'The condition of the answer, evaluated when the step has ended: it holds for exactly one choice, the right one.',
    },
    because: { ...text('Why it is so, or why it is not: shown when the question has been answered.'), ...required },
  },
} as const;

const TRY = {
  type: 'object',
  description: 'Something to try when the step has ended: a fork of the run, which is run with it.',
  fields: {
    say: { ...text('What is tried, in words.'), ...required },
    ...WRITING_FIELDS,
    fault: { type: 'fault', description: 'Breaks something, as the fault of a step does.' },
    after: duration('So long after it the fork ends, and what is expected is looked at; absent: at its end (until), or at rest.'),
    then: { type: 'list', items: expectation, orOne: true, minItems: 1, description: 'What must have come of it.' },
    breaks: text('The invariant that this breaks: the run fails if it holds.'),
  },
  exactlyOneOf: [...WRITING_VERBS, 'fault'],
  atLeastOneOf: ['then', 'breaks'],
} as const;

export const LESSON_FIELDS = {
  ask: {
    type: 'object',
    description: 'A question, asked when the previous step has ended; the answer is what holds when this step has ended.',
    fields: {
      question: { ...text('The question.'), ...required },
      choices: {
        type: 'list',
        items: CHOICE,
        minItems: 2,
        maxItems: 4,
        ...required,
        description: 'Two to four answers. None is marked as right: the run finds out.',
      },
    },
  },
  look: {
    type: 'either',
    description: 'What to show when the step has ended: an object that exists then, and the process in whose cache it is shown.',
    forms: [
      anyTarget,
      {
        type: 'object',
        description: 'An object, and whose cache it is seen in.',
        fields: {
          at: { ...anyTarget, ...required, description: 'What to look at.' },
          as: {
            type: 'string',
            names: 'process',
            description: 'The process in whose cache the object is shown, such as controller-manager.',
          },
        },
      },
    ],
  },
  try: { type: 'list', items: TRY, orOne: true, minItems: 1, description: 'What to try when the step has ended.' },
} as const satisfies Fields;
