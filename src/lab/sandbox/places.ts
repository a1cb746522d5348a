/** Positions in the author's files: where something was thrown or defined, from a stack. Only reports depend on them, not the run. */
import type { Controller } from '../../controlplane/runtime/index.ts';
import type { Position } from '../scenario/index.ts';

/** Maps a stack to a position in the author's files. The command line supplies one for files that it has bundled. */
export type Locate = (stack: string) => Position | undefined;

/** The directory of this program's own files; frames in them are skipped. */
const OWN = import.meta.url.replace(/\/(src|dist)\/.*$/, '/$1/').replace(/^file:\/\//, '');

const FRAME = /(?:\(|at (?:async )?)((?:file:\/\/|\/|[A-Za-z]:[\\/])[^()]*?):(\d+):(\d+)\)?$/;

function placeInStack(stack: string): Position | undefined {
  for (const line of stack.split('\n')) {
    const [, path = '', row, col] = FRAME.exec(line) ?? [];
    const file = path.replace(/^file:\/\//, '');
    if (file !== '' && !file.startsWith(OWN) && !file.includes('/node_modules/')) return { file, line: Number(row), col: Number(col) };
  }
  return undefined;
}

export const placeOfError = (error: unknown, locate: Locate = placeInStack): Position | undefined =>
  error instanceof Error && error.stack !== undefined ? locate(error.stack) : undefined;

/**
 * Returns a controller with its types checked; the type of `self` follows from `reconciles`. Its `reconcile` reads from the cache, whose
 * objects are frozen and may be stale, and returns the writes and the reason. To change an object, change a draft of it with `update`; the
 * status is written to the status subresource automatically. A write to an object that has changed in the meantime is refused as a
 * conflict, and the key is reconciled again.
 *
 * ```ts
 * export const counter = defineController({
 *   name: 'counter',
 *   reconciles: 'Job',
 *   writes: ['Job'],
 *   watches: [watch('Pod', ({ object: { metadata } }) => metadata.ownerReferences?.map(({ name }) => `${metadata.namespace}/${name}`))],
 *   reconcile({ self: job, cache }) {
 *     const active = cache.controlledBy('Pod', job).length;
 *     if (job.status.active === active) return idle('its count is right');
 *     return write('pods came or went', update(job, (draft) => { draft.status.active = active; }));
 *   },
 * });
 * ```
 */
export const defineController = <K extends string, Memory = unknown, State = unknown, Action = unknown>(
  controller: Controller<K, Memory, State, Action>,
): Controller<K, Memory, State, Action> => {
  definitions.set(controller, new Error('defined here'));
  return controller;
};

/** An error for each definition, for its stack; the engine formats the stack only when it is read. */
const definitions = new WeakMap<object, Error>();

export const definedAt = (controller: object, locate: Locate = placeInStack): Position | undefined =>
  placeOfError(definitions.get(controller), locate);
