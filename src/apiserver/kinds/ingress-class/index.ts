/** IngressClass: an implementation of Ingress. Models: v1.24 networking/v1 IngressClass, pkg/registry/networking/ingressclass. */
import { defineKind, immutableText, invalid, subdomainName, validateMetaUpdate } from '../../machinery/index.ts';
import { ingressClassColumns } from './columns.ts';
import { fieldErrors } from './rules.ts';
import { type IngressClass, ingressClassSchema } from './shape.ts';
import { ingressClassExample } from './example.ts';

export const ingressClass = defineKind<IngressClass>({
  kind: 'IngressClass',
  plural: 'ingressclasses',
  groupPrefix: 'networking',
  version: 'v1',
  namespaced: false,
  schema: ingressClassSchema,
  generation: 'spec',
  validateName: subdomainName,
  validate: fieldErrors,
  validateUpdate: (object, old, context) => [
    ...validateMetaUpdate(object, old, context),
    ...(object.spec.controller === old.spec.controller ? [] : [invalid('spec.controller', object.spec.controller ?? '', immutableText)]),
    ...fieldErrors(object, context),
  ],
  columns: ingressClassColumns,
  models: 'Complete. Upstream: pkg/registry/networking/ingressclass.',
  example: ingressClassExample,
});
