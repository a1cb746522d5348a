/** RuntimeClass: a kind of container runtime. Models: v1.24 node/v1 RuntimeClass, pkg/registry/node/runtimeclass. */
import { atomicList, map, obj, quantity, req, str, type Infer } from '../../schema/index.ts';
import { isDns1123Label, validateLabels } from '../../values/index.ts';
import { ageColumn, nameColumn } from '../columns.ts';
import { defineKind } from '../define-kind.ts';
import { typeMeta, type ObjectOf } from '../shapes/meta.ts';
import { toleration, type Toleration } from '../shapes/pod-spec.ts';
import type { FieldError } from '../status.ts';
import { duplicate, invalid } from '../validation/field-errors.ts';
import { shown, tolerationType } from '../validation/go-shapes.ts';
import { immutableText, subdomainName, validateMeta, validateMetaUpdate } from '../validation/object-meta.ts';
import { validateResourceRequirements } from '../validation/resources.ts';
import { sameValue } from '../validation/same-value.ts';
import { validateTolerations } from '../validation/scheduling.ts';

export const runtimeClassSchema = obj('RuntimeClass', {
  ...typeMeta,
  handler: req(str()),
  overhead: obj('Overhead', { podFixed: map(quantity, 'ResourceList') }),
  scheduling: obj('Scheduling', { nodeSelector: { ...map(str()), mapType: 'atomic' }, tolerations: atomicList(toleration) }),
});
export type RuntimeClass = ObjectOf<'RuntimeClass', Infer<typeof runtimeClassSchema>>;

function fieldErrors({ handler, overhead, scheduling }: RuntimeClass): FieldError[] {
  const errors: FieldError[] = isDns1123Label(handler).map((problem) => invalid('handler', handler, problem));
  // Upstream judges overhead as limits of a container, and says so in the path.
  if (overhead?.podFixed !== undefined) errors.push(...validateResourceRequirements({ limits: overhead.podFixed }, 'overhead'));
  if (scheduling !== undefined) errors.push(...validateLabels(scheduling.nodeSelector, 'scheduling.nodeSelector'), ...tolerationErrors(scheduling.tolerations ?? []));
  return errors;
}

function tolerationErrors(tolerations: readonly Toleration[]): FieldError[] {
  const errors = validateTolerations(tolerations, 'scheduling.tolerations.tolerations');
  for (const [at, one] of tolerations.entries()) {
    if (tolerations.slice(0, at).some((other) => sameValue(other, one))) errors.push(duplicate(`scheduling.tolerations[${at}]`, shown(one, tolerationType)));
  }
  return errors;
}

export const runtimeClass = defineKind<RuntimeClass>({
  kind: 'RuntimeClass',
  plural: 'runtimeclasses',
  groupPrefix: 'node',
  version: 'v1',
  namespaced: false,
  schema: runtimeClassSchema,
  allowCreateOnUpdate: true,
  allowUnconditionalUpdate: false,
  validateName: subdomainName,
  validate: (object, context) => [...validateMeta(object, false, subdomainName, context, 'metadata', false), ...fieldErrors(object)],
  validateUpdate: (object, old, context) => [
    ...validateMeta(object, false, subdomainName, context, 'metadata', false),
    ...fieldErrors(object),
    ...validateMetaUpdate(object, old, context, 'metadata', false),
    ...(object.handler === old.handler ? [] : [invalid('handler', object.handler, immutableText)]),
  ],
  columns: [nameColumn, { name: 'Handler', type: 'string', description: 'Runtime and configuration of the class.', priority: 0, cell: (object) => object.handler }, ageColumn],
  models: 'Complete. Upstream: pkg/registry/node/runtimeclass, pkg/apis/node/validation.',
});
