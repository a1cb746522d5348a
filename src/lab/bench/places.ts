/**
 * Where in its author's files something was thrown or defined, as far as a stack says. Nothing of a run depends on it but what a report
 * shows.
 */
import { definitionOf } from '../../controlplane/runtime/index.ts';
import type { Position } from '../scenario/index.ts';

/** Follows a stack back to its author's files; the command line knows how where they were bundled. */
export type Locate = (stack: string) => Position | undefined;

/** Where this program's own files lie: frames in them are not the author's. */
const OWN = import.meta.url.replace(/\/(src|dist)\/.*$/, '/$1/').replace(/^file:\/\//, '');

const FRAME = /(?:\(|at (?:async )?)((?:file:\/\/|\/|[A-Za-z]:[\\/])[^()]*?):(\d+):(\d+)\)?$/;

/** The first frame that is neither ours nor that of an installed package. */
function placeInStack(stack: string): Position | undefined {
  for (const line of stack.split('\n')) {
    const [, path = '', row, col] = FRAME.exec(line) ?? [];
    const file = path.replace(/^file:\/\//, '');
    if (file !== '' && !file.startsWith(OWN) && !file.includes('/node_modules/')) return { file, line: Number(row), col: Number(col) };
  }
  return undefined;
}

/** Where an error was thrown. */
export const placeOfError = (error: unknown, locate: Locate = placeInStack): Position | undefined =>
  error instanceof Error && error.stack !== undefined ? locate(error.stack) : undefined;

/** Where `defineController` was called. */
export const definedAt = (controller: object, locate: Locate = placeInStack): Position | undefined =>
  placeOfError(definitionOf(controller), locate);
