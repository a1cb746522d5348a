/** Pages of findings: each opens where it breaks. */
import { join, basename } from 'node:path';
import { writePages } from '../page/recordings.ts';
import { timed, type Task } from '../run/task.ts';
import type { Io } from '../io.ts';
import type { LoadedScenario } from '../load.ts';
import type { Reported } from './files.ts';

/** Writes a page for each finding that has a file: FOLDER/found-NAME-1.html. */
export function writeFindingPages(
  findings: readonly Reported[],
  folder: string,
  { scenario, flags, plugins }: LoadedScenario,
  io: Io,
): void {
  for (const { file, scenario: found, choices } of findings) {
    if (file === undefined) continue;
    const name = basename(file).replace(/\.ya?ml$/, '');
    const task: Task = {
      scenario: { ...found, name, choices },
      file,
      seed: scenario.seed,
      plugins,
      ...(flags === undefined ? {} : { flags }),
    };
    // Standard output is the report.
    writePages([{ task, run: timed(task).summary }], { page: join(folder, `${name}.html`), force: true, showSecrets: false }, 'junit', io);
  }
}
