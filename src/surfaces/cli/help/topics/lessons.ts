/** `help lessons`. */
import { shellWord } from '../../../report/index.ts';
import { course } from '../course.ts';
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
    npx orchsim run ${EXAMPLE_FILE} # checks every sentence

${courseText(columns)}`,
};

/** What was shipped, and how to begin; a step that asks waits for a letter. */
function courseText(columns: number): string {
  const lessons = course();
  const [first] = lessons;
  if (first === undefined) return '';
  return `A course of ${lessons.length} lessons comes with orchsim, each built on those before it. \`play\` opens the first one in the browser; in a terminal, answer with a letter:

${rows(
  lessons.map(({ name, title }) => [name, title]),
  columns,
)}

    npx orchsim walk ${shellWord(first.path)}`;
}
