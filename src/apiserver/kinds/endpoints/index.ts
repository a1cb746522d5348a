/** Endpoints: the addresses of a service, in the older form. Models: v1.24 core/v1 Endpoints, pkg/registry/core/endpoint. */
import { defineKind, type KindContext, sameValue, subdomainName, validateMeta, validateMetaUpdate } from '../../machinery/index.ts';
import { endpointsSpecification } from './specification.ts';
import { endpointsColumns } from './columns.ts';
import { subsetsErrors } from './rules.ts';
import { type Endpoints, endpointsSchema } from './shape.ts';
import { endpointsExample } from './example.ts';

export const endpoints = defineKind<Endpoints>({
  kind: 'Endpoints',
  plural: 'endpoints',
  singular: 'endpoints',
  shortNames: ['ep'],
  groupPrefix: '',
  version: 'v1',
  namespaced: true,
  schema: endpointsSchema,
  allowCreateOnUpdate: true,
  validateName: subdomainName,
  validate: (object, context: KindContext) => [...validateMeta(object, true, subdomainName, context), ...subsetsErrors(object, context)],
  // Old objects may keep values that the current rules refuse.
  validateUpdate: (object, old, context) => [
    ...validateMetaUpdate(object, old, context),
    ...(sameValue(object['subsets'], old['subsets']) ? [] : subsetsErrors(object, context)),
  ],
  columns: endpointsColumns,
  models: 'Complete. Upstream: pkg/registry/core/endpoint, pkg/apis/core/validation.',
  specification: endpointsSpecification,
  example: endpointsExample,
});
