/** Faults of users have their fields in the words of JSON Schema; the format has its own. */
import { expect, it } from 'vitest';
import type { UserFault } from '../../../src/lab/definitions/index.ts';
import { formatProblem, givenFields, readFault } from '../../../src/lab/scenario/index.ts';
import { readScenarios } from '../../../src/lab/vocabulary.ts';

const fault: UserFault = {
  name: 'shake',
  description: 'Shakes.',
  subject: { type: 'string', enum: ['hard', 'soft'], description: 'How.' },
  parameters: {
    times: { type: 'integer', minimum: 1, maximum: 3, required: true, description: 'How often.' },
    // A member may have a word of a facet as its name.
    about: { type: 'object', fields: { description: { type: 'string', description: 'A text.' } }, description: 'Of what.' },
  },
  apply: () => ({ detail: 'shakes' }),
};

const problemsOf = (step: string): readonly string[] => {
  const text = `apiVersion: scenario.orch.io/v1\nkind: Scenario\nmetadata: { name: a }\nspec: { steps: [{ fault: ${step} }] }\n`;
  const read = readScenarios(text, { file: 'a', with: { faults: [fault] } });
  return 'problems' in read ? read.problems.map(formatProblem) : [];
};

it('are checked by these words', () => {
  expect(problemsOf('{ shake: hard, times: 3, about: { description: b } }')).toEqual([]);
  expect(problemsOf('{ shake: harder, times: 4 }')).toEqual([
    'a:4:35: spec.steps[0].fault.shake: expected hard or soft, found "harder"; did you mean "hard"?',
    'a:4:50: spec.steps[0].fault.times: expected a whole number from 1 to 3, found 4',
  ]);
  expect(problemsOf('{ shake: hard, about: { description: 1 } }')).toEqual([
    'a:4:26: spec.steps[0].fault.times: expected a whole number from 1 to 3, found nothing',
    'a:4:63: spec.steps[0].fault.about.description: expected a text, found 1, which without quotes is a number; did you mean "1"?',
  ]);
});

it('are shown as their author wrote them', () => {
  const { subject, parameters } = fault;
  expect(givenFields(readFault(fault))).toEqual({ subject, parameters });
});
