/**
 * Patches and scales, held against the kinds of what they change. What stands in `expectError` is meant to be wrong and is let be.
 */
import type { Schema } from '../../schema/shape/index.ts';
import { compareText, nearest, own } from '../../schema/values/index.ts';
import { triesOf } from './check-scenario.ts';
import { quoted, type Reading } from './context.ts';
import { oneOf } from './field-types.ts';
import { checkTypes } from './judge.ts';
import { checkMembers, UNLESS_ALLOWED } from './read-manifests.ts';
import { parseTarget } from './targets.ts';

export function checkPatches(scenario: Reading): void {
  const steps = scenario.member('spec', 'steps')?.items() ?? [];
  for (const step of steps.flatMap((each) => [each, ...triesOf(each)])) {
    checkPatch(step.member('patch'));
    checkScale(step.member('scale'));
  }
}

/** Only what has replicas has the sub-resource that sets them. */
function checkScale(step: Reading | undefined): void {
  const target = step?.member('target');
  const kind = kindOf(target);
  const kinds = target?.context.vocabulary.kindsOf?.(target.context.domain);
  const found = kind === undefined ? undefined : kinds?.byKind(kind);
  if (kinds === undefined || found === undefined || found.subresources.includes('scale')) return;
  const scaled = kinds.list().flatMap(({ kind: name, subresources }) => (subresources.includes('scale') ? [name] : []));
  target?.refuse(`a kind that can be scaled (${scaled.toSorted(compareText).join(', ')})`);
}

function checkPatch(step: Reading | undefined): void {
  const body = step?.member('patch');
  const kind = kindOf(step?.member('target'));
  // A Scale is an object of another kind.
  if (body === undefined || kind === undefined || step?.member('subresource')?.plain === 'scale') return;
  const { vocabulary, domain, allowUnknown } = body.context;
  const schema = vocabulary.kindsOf?.(domain).byKind(kind)?.schema;
  if (schema !== undefined) for (const operation of body.items()) checkOperation(operation, schema);
  if (body.node.shape !== 'map') return;
  if (allowUnknown !== true) checkMembers(body, kind, UNLESS_ALLOWED);
  if (schema !== undefined) checkTypes(schema, body);
}

const OPERATIONS = ['add', 'remove', 'replace', 'move', 'copy', 'test'];

/** Checks the value of a JSON patch operation against the field at its path; a `test` may have any value. */
function checkOperation(operation: Reading, whole: Schema): void {
  const op = operation.member('op');
  if (typeof op?.plain !== 'string' || !OPERATIONS.includes(op.plain)) {
    const near = typeof op?.plain === 'string' ? nearest(op.plain, OPERATIONS) : undefined;
    operation.refuseMember('op', oneOf(OPERATIONS), quoted(near));
    return;
  }
  const to = operation.member('path')?.plain;
  if (typeof to !== 'string' || !/^(?:\/|$)/.test(to)) {
    operation.refuseMember('path', 'a path such as /spec/replicas');
    return;
  }
  const value = operation.member('value');
  if (value === undefined || (op.plain !== 'add' && op.plain !== 'replace')) return;
  const schema = to.split('/').slice(1).reduce(below, whole);
  if (schema !== undefined) checkTypes(schema, value);
}

function below(schema: Schema | undefined, step: string): Schema | undefined {
  if (schema?.type === 'list') return schema.items;
  if (schema?.type === 'map') return schema.values;
  return schema?.type === 'object' ? own(schema.fields, step) : undefined;
}

function kindOf(target: Reading | undefined): string | undefined {
  const kind = target?.member('kind')?.plain;
  if (typeof kind === 'string') return kind;
  return typeof target?.plain === 'string' ? parseTarget(target.plain)?.kind : undefined;
}
