/** Failures of patches as values. Models: apiserver pkg/endpoints/handlers/patch.go, apimachinery pkg/api/errors. */
import type { StatusDetails } from '../machinery/index.ts';
import { goQuoted, goValue } from './go-text.ts';
import { compareText } from '../../schema/values/index.ts';
import { unboxed } from './values.ts';
import { type FieldSet, pathsOf } from './field-set.ts';
import type { ManagerId } from './managers.ts';
import { showPath } from './path-element.ts';

export interface PatchError {
  readonly code: 400 | 409 | 413 | 422 | 500;
  /** Absent where upstream returns a plain Go error (500). */
  readonly reason?: 'BadRequest' | 'Conflict' | 'Invalid' | 'RequestEntityTooLarge';
  readonly message: string;
  readonly details?: StatusDetails;
  /** The cause for readers and traces, where upstream's message omits it. It is not part of the `Status`. */
  readonly why?: string;
}

export type Patched = { readonly ok: unknown; readonly error?: never } | { readonly error: PatchError; readonly ok?: never };

/** Thrown only inside this module, to leave a recursion; every public function returns it as a value. */
export class PatchFailure extends Error {
  readonly error: PatchError;
  constructor(error: PatchError) {
    super(error.message);
    this.error = error;
  }
}

/** Runs a patch and returns its failure as a value; any other error is a bug and is rethrown. */
export function attempt(run: () => unknown): Patched {
  try {
    return { ok: run() };
  } catch (thrown) {
    if (thrown instanceof PatchFailure) return { error: thrown.error };
    throw thrown;
  }
}

export const badRequest = (message: string, why?: string): PatchFailure =>
  new PatchFailure({ code: 400, reason: 'BadRequest', message, ...(why === undefined ? {} : { why }) });

/** Returns the generic 422 error, whose message omits the reason. */
export const unprocessable = (why: string): PatchFailure => {
  const message = 'the server rejected our request due to an error in our request';
  return new PatchFailure({ code: 422, reason: 'Invalid', message, details: {}, why });
};

/** Returns a plain Go error: 500 without reason and details. */
export const internal = (message: string): PatchFailure => new PatchFailure({ code: 500, message });

export const tooLarge = (message: string): PatchFailure =>
  new PatchFailure({ code: 413, reason: 'RequestEntityTooLarge', message: `Request entity too large: ${message}` });

/** Returns the 422 error for a patched document that does not decode: a field error on `patch` of an object without kind and name. */
export function undecodable(shown: string, detail: string): PatchFailure {
  const message = `Invalid value: ${goQuoted(shown)}: ${detail}`;
  return new PatchFailure({
    code: 422,
    reason: 'Invalid',
    message: ` "" is invalid: patch: ${message}`,
    details: { causes: [{ reason: 'FieldValueInvalid', message, field: 'patch' }] },
  });
}

/** The same with the patch as the printed value: for a strategic merge patch, which is applied as a map. */
export const undecodablePatch = (patch: unknown, detail: string): PatchError => undecodable(goValue(unboxed(patch)), detail).error;

export const tooDeep = (): PatchFailure => badRequest('error decoding patch: json: exceeded max depth');

// Models: v1.24 apiserver pkg/endpoints/handlers/fieldmanager/internal/conflict.go.
export interface Conflict {
  readonly manager: ManagerId;
  readonly path: readonly string[];
}

/** Returns one conflict for each contested field, ordered by manager. */
export function conflictsOf(contested: ReadonlyMap<string, FieldSet>, idOf: (key: string) => ManagerId): readonly Conflict[] {
  const keys = [...contested.keys()].sort(compareText);
  return keys.flatMap((key) => pathsOf(contested.get(key) ?? new Map()).map((path) => ({ manager: idOf(key), path })));
}

export function conflictError(conflicts: readonly Conflict[]): PatchError {
  const causes = conflicts.map(({ manager, path }) => ({
    reason: 'FieldManagerConflict',
    message: `conflict with ${show(manager)}`,
    field: showPath(path),
  }));
  return { code: 409, reason: 'Conflict', message: message(conflicts), details: { causes } };
}

function message(conflicts: readonly Conflict[]): string {
  const [first] = conflicts;
  if (conflicts.length === 1 && first !== undefined)
    return `Apply failed with 1 conflict: conflict with ${show(first.manager)}: ${showPath(first.path)}`;
  const lines: string[] = [];
  let last: ManagerId | undefined;
  for (const { manager, path } of conflicts) {
    if (manager !== last) lines.push(`conflicts with ${show(manager)}:`);
    last = manager;
    lines.push(`- ${showPath(path)}`);
  }
  return `Apply failed with ${conflicts.length} conflicts: ${lines.join('\n')}`;
}

function show({ manager, operation, apiVersion, subresource }: ManagerId): string {
  const name = goQuoted(manager) + (subresource === undefined ? '' : ` with subresource ${goQuoted(subresource)}`);
  return operation === 'Update' ? `${name} using ${apiVersion ?? ''}` : name;
}
