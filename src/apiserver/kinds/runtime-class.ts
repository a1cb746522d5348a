/** RuntimeClass: a class of container runtimes. Models: v1.24 node/v1 RuntimeClass, pkg/registry/node/runtimeclass. */
import { atomicList, field, type Infer, map, obj, quantity, req, str } from '../../schema/shape/index.ts';
import { append, repeats, validateLabels } from '../../schema/values/index.ts';
import { defineKind } from '../machinery/index.ts';
import type { FieldError } from '../objects/index.ts';
import { type ObjectOf, toleration, type Toleration, typeMeta } from '../structs/index.ts';
import { duplicate, shown, validateResourceRequirements, validateTolerations } from '../validation/index.ts';

const runtimeClassSchema = obj('RuntimeClass', 'A container runtime and its requirements.', {
  ...typeMeta,
  handler: field(2, 'Its name on nodes; cannot be changed.', req(str()), {
    format: 'label',
    fixed: true,
    column: ['Handler', 'Runtime and configuration of the class.'],
  }),
  overhead: field(
    3,
    'The resources of each pod in addition to its containers.',
    obj('Overhead', 'The resources of each pod in addition to its containers.', {
      podFixed: field(1, 'By resource: cpu, memory, pods and so on.', map(quantity, 'ResourceList')),
    }),
  ),
  scheduling: field(
    4,
    'Nodes with this runtime; absent: all.',
    obj('Scheduling', 'Nodes with this runtime.', {
      nodeSelector: field(1, 'Their labels, added to the node selector of a pod; a pod with a conflicting value is refused.', {
        ...map(str()),
        mapType: 'atomic',
      }),
      tolerations: field(2, 'Added to those of a pod.', atomicList(toleration)),
    }),
  ),
});
/** A stored RuntimeClass: defaulted, validated and frozen. */
export type RuntimeClass = ObjectOf<'RuntimeClass', Infer<typeof runtimeClassSchema>>;

function nodeErrors({ overhead, scheduling }: RuntimeClass): FieldError[] {
  // Upstream validates overhead as limits of a container, which shows in the path.
  const errors = overhead?.podFixed === undefined ? [] : validateResourceRequirements({ limits: overhead.podFixed }, 'overhead');
  if (scheduling !== undefined)
    append(errors, validateLabels(scheduling.nodeSelector, 'scheduling.nodeSelector'), tolerationErrors(scheduling.tolerations ?? []));
  return errors;
}

function tolerationErrors(tolerations: readonly Toleration[]): FieldError[] {
  const errors = validateTolerations(tolerations, 'scheduling.tolerations.tolerations');
  // The tolerations are decoded, so equal ones have equal JSON texts.
  const seenBefore = repeats<string>();
  for (const [at, one] of tolerations.entries()) {
    if (seenBefore(JSON.stringify(one))) errors.push(duplicate(`scheduling.tolerations[${at}]`, shown(one, toleration)));
  }
  return errors;
}

export const runtimeClass = defineKind<RuntimeClass>({
  plural: 'runtimeclasses',
  groupPrefix: 'node',
  namespaced: false,
  schema: runtimeClassSchema,
  allowCreateOnUpdate: true,
  allowUnconditionalUpdate: false,
  anyFinalizers: true,
  create: ['metadata', 'handler', nodeErrors],
  update: ['metadata', 'handler', nodeErrors, 'changed metadata', 'fixed'],
  models: 'Complete. Upstream: pkg/registry/node/runtimeclass, pkg/apis/node/validation.',
});
