/**
 * Patches and scales, held against the kinds of what they change. What stands in `expectError` is meant to be wrong and is let be.
 */
import { joinPath, showValue, type Located } from '../../schema/yaml/index.ts';
import type { Schema } from '../../schema/shape/index.ts';
import { compareText, nearest } from '../../schema/values/index.ts';
import { memberAt, note, quoted, type CheckContext } from './context.ts';
import { oneOf } from './field-types.ts';
import { checkTypes } from './judge.ts';
import { checkMembers, UNLESS_ALLOWED } from './read-manifests.ts';
import { parseTarget } from './targets.ts';

export function checkPatches(document: Located, context: CheckContext): void {
  const steps = memberAt(document, 'spec', 'steps');
  if (steps?.shape !== 'list') return;
  for (const [index, item] of steps.items.entries()) {
    const path = `spec.steps[${index}]`;
    checkPatch(memberAt(item, 'patch'), joinPath(path, 'patch'), context);
    checkScale(memberAt(item, 'scale'), joinPath(path, 'scale'), context);
    const tries = memberAt(item, 'try');
    if (tries?.shape !== 'list') continue;
    for (const [at, each] of tries.items.entries()) {
      const inner = joinPath(joinPath(path, 'try'), at);
      checkPatch(memberAt(each, 'patch'), joinPath(inner, 'patch'), context);
      checkScale(memberAt(each, 'scale'), joinPath(inner, 'scale'), context);
    }
  }
}

/** Only what has replicas has the sub-resource that sets them. */
function checkScale(step: Located | undefined, path: string, context: CheckContext): void {
  const target = memberAt(step, 'target');
  const kind = kindOf(target);
  const kinds = context.vocabulary.kindsOf?.(context.domain);
  const found = kind === undefined ? undefined : kinds?.byKind(kind);
  if (target === undefined || kinds === undefined || found === undefined || found.subresources.includes('scale')) return;
  const scaled = kinds.list().flatMap(({ kind: name, subresources }) => (subresources.includes('scale') ? [name] : []));
  note(
    context,
    target,
    joinPath(path, 'target'),
    `a kind that can be scaled (${scaled.toSorted(compareText).join(', ')})`,
    showValue(target.plain),
  );
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

const OPERATIONS = ['add', 'remove', 'replace', 'move', 'copy', 'test'];

/** Checks the value of a JSON patch operation against the field at its path; a `test` may have any value. */
function checkOperation(operation: Located, path: string, whole: Schema, context: CheckContext): void {
  const does = memberAt(operation, 'op');
  const op = does?.plain;
  if (typeof op !== 'string' || !OPERATIONS.includes(op)) {
    const near = typeof op === 'string' ? nearest(op, OPERATIONS) : undefined;
    note(context, does ?? operation, joinPath(path, 'op'), oneOf(OPERATIONS), showValue(op), quoted(near));
    return;
  }
  const at = memberAt(operation, 'path');
  const to = at?.plain;
  if (typeof to !== 'string' || !/^(?:\/|$)/.test(to)) {
    note(context, at ?? operation, joinPath(path, 'path'), 'a path such as /spec/replicas', showValue(to));
    return;
  }
  const value = memberAt(operation, 'value');
  if (value === undefined || (op !== 'add' && op !== 'replace')) return;
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
