/**
 * Checks partial objects in patches against the fields of their target. Those in `expectError` may be invalid on purpose and are skipped.
 */
import { joinPath, type Located } from '../../schema/yaml/index.ts';
import type { Schema } from '../../schema/shape/index.ts';
import { memberAt, type CheckContext } from './context.ts';
import { checkTypes } from './judge-manifests.ts';
import { checkMembers, UNLESS_ALLOWED } from './read-manifests.ts';
import { parseTarget } from './targets.ts';

export function checkPatches(document: Located, context: CheckContext): void {
  const steps = memberAt(document, 'spec', 'steps');
  if (steps?.shape !== 'list') return;
  for (const [index, item] of steps.items.entries()) {
    const path = `spec.steps[${index}]`;
    checkPatch(memberAt(item, 'patch'), joinPath(path, 'patch'), context);
    const tries = memberAt(item, 'try');
    if (tries?.shape !== 'list') continue;
    for (const [at, each] of tries.items.entries())
      checkPatch(memberAt(each, 'patch'), joinPath(joinPath(joinPath(path, 'try'), at), 'patch'), context);
  }
}

function checkPatch(step: Located | undefined, path: string, context: CheckContext): void {
  const body = memberAt(step, 'patch');
  const kind = kindOf(memberAt(step, 'target'));
  // A Scale is an object of another kind.
  if (body === undefined || kind === undefined || memberAt(step, 'subresource')?.plain === 'scale') return;
  const schema = context.vocabulary.kindsOf?.(context.domain).byKind(kind)?.schema;
  const inner = joinPath(path, 'patch');
  if (body.shape === 'list') {
    if (schema !== undefined)
      for (const [at, operation] of body.items.entries()) checkOperation(operation, joinPath(inner, at), schema, context);
    return;
  }
  if (body.shape !== 'map') return;
  if (context.allowUnknown !== true) checkMembers(body, inner, context, kind, UNLESS_ALLOWED);
  if (schema !== undefined) checkTypes(schema, body, inner, context);
}

/** Checks the value of a JSON patch operation against the field at its path; a `test` may have any value. */
function checkOperation(operation: Located, path: string, whole: Schema, context: CheckContext): void {
  const op = memberAt(operation, 'op')?.plain;
  const to = memberAt(operation, 'path')?.plain;
  const value = memberAt(operation, 'value');
  if (value === undefined || typeof to !== 'string' || (op !== 'add' && op !== 'replace')) return;
  const schema = to.split('/').slice(1).reduce(below, whole);
  if (schema !== undefined) checkTypes(schema, value, joinPath(path, 'value'), context);
}

function below(schema: Schema | undefined, step: string): Schema | undefined {
  if (schema?.type === 'list') return schema.items;
  if (schema?.type === 'map') return schema.values;
  return schema?.type === 'object' && Object.hasOwn(schema.fields, step) ? schema.fields[step] : undefined;
}

function kindOf(target: Located | undefined): string | undefined {
  const kind: unknown = target?.shape === 'map' ? target.plain['kind'] : undefined;
  if (typeof kind === 'string') return kind;
  return typeof target?.plain === 'string' ? parseTarget(target.plain)?.kind : undefined;
}
