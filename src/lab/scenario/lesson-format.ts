/** The format of lessons: a question before a step, an object to show at its end, suggestions to try then. */
import { duration, either, list, object, required, text } from './field-helpers.ts';
import type { Fields } from './fields.ts';
import { anyTarget, expectation, EXPECTATION_FIELDS, WRITING_FIELDS, WRITING_VERBS } from './writing-format.ts';

const CHOICE = object('An answer: a statement about the cluster, right or wrong.', {
  say: required(text('The answer in words.')),
  cel: required({
    ...EXPECTATION_FIELDS.cel,
    description: 'The condition of the answer, evaluated when the step has ended: it holds for exactly one choice, the right one.',
  }),
  because: required(text('Why it is so, or why it is not: shown when the question has been answered.')),
});

const TRY = object(
  'A suggestion at the end of the step: a fork of the run, which is checked with the scenario.',
  {
    say: required(text('The suggestion in words.')),
    ...WRITING_FIELDS,
    fault: { type: 'fault', description: 'Injects a fault, as a step does.' },
    after: duration(
      'The fork ends this long after it, and its expectations are checked; absent: at until, or when the cluster is settled.',
    ),
    then: list('The expected result.', expectation, { orOne: true, minItems: 1 }),
    breaks: text('The invariant that this breaks: the run fails if it holds.'),
  },
  { exactlyOneOf: [...WRITING_VERBS, 'fault'], atLeastOneOf: ['then', 'breaks'] },
);

export const LESSON_FIELDS = {
  ask: object('A question at the end of the previous step, about the state at the end of this step.', {
    question: required(text('The question.')),
    choices: required(list('Two to four answers. None is marked as right: the run evaluates them.', CHOICE, { minItems: 2, maxItems: 4 })),
  }),
  look: either(
    'The object to show when the step has ended, and optionally the process whose cache is shown.',
    anyTarget,
    object('An object, and the process whose cache is shown.', {
      at: required({ ...anyTarget, description: 'The object.' }),
      as: { type: 'string', names: 'process', description: 'The process whose cache is shown, such as controller-manager.' },
    }),
  ),
  try: list('Suggestions at the end of the step.', TRY, { orOne: true, minItems: 1 }),
} as const satisfies Fields;
