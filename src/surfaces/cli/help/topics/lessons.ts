/** `help lessons`. */
import { EXAMPLE_FILE } from '../example.ts';
import { rows, type Topic } from '../topic.ts';
import { proseFields } from '../verbs.ts';

export const lessons: Topic = {
  name: 'lessons',
  summary: 'scenarios that explain themselves, step by step',
  text: (
    _,
    columns,
  ) => `A scenario becomes a lesson by what its steps say. What is told is checked: a sentence whose claim is false fails the file, so that nobody is told what is not so.

${rows(
  proseFields().map(({ name, description }) => [name, description]),
  columns,
)}

\`spec.teaches\` says what one learns from all of it.

    npx orchsim walk ${EXAMPLE_FILE} # from beat to beat: next, why, state, diff, fork, help
    npx orchsim walk ${EXAMPLE_FILE} --script 'next; why; fork delete Job/retry; next'
    npx orchsim run ${EXAMPLE_FILE} # checks every sentence`,
};
