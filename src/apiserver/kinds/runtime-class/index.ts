/** RuntimeClass: a class of container runtimes. Models: v1.24 node/v1 RuntimeClass, pkg/registry/node/runtimeclass. */
import { defineKind, immutableText, invalid, subdomainName, validateMeta, validateMetaUpdate } from '../../machinery/index.ts';
import { runtimeClassColumns } from './columns.ts';
import { fieldErrors } from './rules.ts';
import { type RuntimeClass, runtimeClassSchema } from './shape.ts';
import { runtimeClassExample } from './example.ts';

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
  columns: runtimeClassColumns,
  models: 'Complete. Upstream: pkg/registry/node/runtimeclass, pkg/apis/node/validation.',
  example: runtimeClassExample,
});
