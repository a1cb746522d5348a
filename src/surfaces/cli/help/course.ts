/** The lessons that come with it, in the order in which they build on each other: that of their files' names. */
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { shippedScenarios } from '../install.ts';
import { readScenarios } from '../load.ts';

export interface CourseLesson {
  /** Where its file lies, from the root of the file system. */
  readonly path: string;
  /** The file's name without its ending: `01-wanted-and-found`. */
  readonly name: string;
  readonly title: string;
}

export function course(): readonly CourseLesson[] {
  const folder = join(fileURLToPath(shippedScenarios()), 'lessons');
  return readScenarios([folder], { cwd: folder }).scenarios.map(({ scenario: { name, title = name }, file }) => ({
    path: join(folder, basename(file)),
    name: basename(file).replace(/\.ya?ml$/, ''),
    title,
  }));
}
