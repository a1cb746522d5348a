/** The shipped lessons in the order of their file names; each builds on those before it. */
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { shippedScenarios } from '../install.ts';
import { readScenarios } from '../load.ts';

export interface CourseLesson {
  /** The absolute path of the file. */
  readonly path: string;
  /** The file name without its extension: `01-wanted-and-found`. */
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
