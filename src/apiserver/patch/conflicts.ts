/** Apply conflicts in the form that clients get. Models: v1.24 apiserver pkg/endpoints/handlers/fieldmanager/internal/conflict.go. */
import { pathsOf, type FieldSet } from './field-set.ts';
import { goQuoted } from './go-text.ts';
import type { PatchError } from './errors.ts';
import type { ManagerId } from './managers.ts';
import { showPath } from './path-element.ts';
import { compareText } from './values.ts';

export interface Conflict {
  readonly manager: ManagerId;
  readonly path: readonly string[];
}

/** Returns one conflict for each contested field, ordered by manager. */
export function conflictsOf(contested: ReadonlyMap<string, FieldSet>, idOf: (key: string) => ManagerId): readonly Conflict[] {
  const keys = [...contested.keys()].sort(compareText);
  return keys.flatMap((key) => pathsOf(contested.get(key) ?? new Map()).map((path) => ({ manager: idOf(key), path })));
}

/** Returns the 409 error that lists the conflicts. */
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
