/**
 * Where in its author's files something was thrown or defined, as far as a stack says. Nothing of a run depends on it but what a report
 * shows.
 */
import type { Controller } from '../../controlplane/runtime/index.ts';
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

/**
 * Names a controller; the type of `self` follows from `reconciles`. It decides from what its cache holds, which is frozen and a little old,
 * and answers what is to be written and why. To change an object, change a draft of it with `update`; the status goes to the status
 * sub-resource by itself, and a write over an object that somebody has changed meanwhile is refused and decided anew.
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

/** Where controllers were defined, for who has to be told; the stack is written only when somebody reads it. */
const definitions = new WeakMap<object, Error>();

/** Where `defineController` was called. */
export const definedAt = (controller: object, locate: Locate = placeInStack): Position | undefined =>
  placeOfError(definitions.get(controller), locate);
