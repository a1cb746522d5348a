/** The refusals of patches. Models: apiserver pkg/endpoints/handlers/patch.go, fieldmanager/internal/conflict.go. */
import { badRequest, failure, type Refusal } from '../request/index.ts';
import { goValue } from './go-text.ts';
import { compareText, quote } from '../../schema/values/index.ts';
import { unboxed } from './values.ts';
import { type FieldSet, pathsOf } from './field-set.ts';
import type { ManagerId } from './managers.ts';
import { showPath } from './path-element.ts';

/** Returns the generic 422 error, whose message omits the reason: it is the cause of the error. */
export const unprocessable = (why: string): Refusal => {
  const message = 'the server rejected our request due to an error in our request';
  return Object.assign(failure({ code: 422, reason: 'Invalid', message, details: {} }), { cause: why });
};

export const tooLarge = (message: string): Refusal =>
  failure({ code: 413, reason: 'RequestEntityTooLarge', message: `Request entity too large: ${message}` });

/** Returns the 422 error for a patched document that does not decode: a field error on `patch` of an object without kind and name. */
export function undecodableAs(quoted: string, detail: string): Refusal {
  const message = `Invalid value: ${quoted}: ${detail}`;
  return failure({
    code: 422,
    reason: 'Invalid',
    message: ` "" is invalid: patch: ${message}`,
    details: { causes: [{ reason: 'FieldValueInvalid', message, field: 'patch' }] },
  });
}

/** The same with the patch as the printed value: for a strategic merge patch, which is applied as a map. */
export const undecodablePatch = (patch: unknown, detail: string): Refusal => undecodableAs(quote(goValue(unboxed(patch))), detail);

export const tooDeep = (): Refusal => badRequest('error decoding patch: json: exceeded max depth');

interface Conflict {
  readonly manager: ManagerId;
  readonly path: readonly string[];
}

/** Returns one conflict for each contested field, ordered by manager. */
export function conflictsOf(contested: ReadonlyMap<string, FieldSet>, idOf: (key: string) => ManagerId): readonly Conflict[] {
  const keys = [...contested.keys()].sort(compareText);
  return keys.flatMap((key) => pathsOf(contested.get(key) ?? new Map()).map((path) => ({ manager: idOf(key), path })));
}

export function conflictError(conflicts: readonly Conflict[]): Refusal {
  const causes = conflicts.map(({ manager, path }) => ({
    reason: 'FieldManagerConflict',
    message: `conflict with ${show(manager)}`,
    field: showPath(path),
  }));
  return failure({ code: 409, reason: 'Conflict', message: message(conflicts), details: { causes } });
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
  const name = quote(manager) + (subresource === undefined ? '' : ` with subresource ${quote(subresource)}`);
  return operation === 'Update' ? `${name} using ${apiVersion ?? ''}` : name;
}
