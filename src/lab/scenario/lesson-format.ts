/** The format of lessons: a question before a step, an object to show at its end, suggestions to try then. */
import { duration, text } from './field-helpers.ts';
import type { Fields } from './fields.ts';
import { anyTarget, expectation, EXPECTATION_FIELDS, WRITING_FIELDS, WRITING_VERBS } from './writing-format.ts';

const required = { required: true } as const;

const CHOICE = {
  type: 'object',
  description: 'An answer: a statement about the cluster, right or wrong.',
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
  description: 'A suggestion at the end of the step: a fork of the run, which is checked with the scenario.',
  fields: {
    say: { ...text('The suggestion in words.'), ...required },
    ...WRITING_FIELDS,
    fault: { type: 'fault', description: 'Injects a fault, as a step does.' },
    after: duration(
      'The fork ends this long after it, and its expectations are checked; absent: at until, or when the cluster is settled.',
    ),
    then: { type: 'list', items: expectation, orOne: true, minItems: 1, description: 'The expected result.' },
    breaks: text('The invariant that this breaks: the run fails if it holds.'),
  },
  exactlyOneOf: [...WRITING_VERBS, 'fault'],
  atLeastOneOf: ['then', 'breaks'],
} as const;

export const LESSON_FIELDS = {
  ask: {
    type: 'object',
    description: 'A question at the end of the previous step, about the state at the end of this step.',
    fields: {
      question: { ...text('The question.'), ...required },
      choices: {
        type: 'list',
        items: CHOICE,
        minItems: 2,
        maxItems: 4,
        ...required,
        description: 'Two to four answers. None is marked as right: the run evaluates them.',
      },
    },
  },
  look: {
    type: 'either',
    description: 'The object to show when the step has ended, and optionally the process whose cache is shown.',
    forms: [
      anyTarget,
      {
        type: 'object',
        description: 'An object, and the process whose cache is shown.',
        fields: {
          at: { ...anyTarget, ...required, description: 'The object.' },
          as: { type: 'string', names: 'process', description: 'The process whose cache is shown, such as controller-manager.' },
        },
      },
    ],
  },
  try: { type: 'list', items: TRY, orOne: true, minItems: 1, description: 'Suggestions at the end of the step.' },
} as const satisfies Fields;
