/** EndpointSlice: a part of the endpoints of a service. Models: v1.24 discovery/v1 EndpointSlice, pkg/registry/discovery/endpointslice. */
import { defineKind, sameValue, subdomainName } from '../../machinery/index.ts';
import { endpointSliceSpecification } from './specification.ts';
import { endpointSliceColumns } from './columns.ts';
import { validateEndpointSlice, validateEndpointSliceUpdate } from './rules.ts';
import { type EndpointSlice, endpointSliceSchema } from './shape.ts';
import { endpointSliceExample } from './example.ts';
import { dropFields } from './strategy.ts';

export const endpointSlice = defineKind<EndpointSlice>({
  kind: 'EndpointSlice',
  plural: 'endpointslices',
  groupPrefix: 'discovery',
  version: 'v1',
  namespaced: true,
  schema: endpointSliceSchema,
  generation: 'spec',
  allowUnconditionalUpdate: true,
  prepareForCreate: (draft, context) => {
    dropFields(draft, undefined, context);
  },
  prepareForUpdate(draft, old, context) {
    // The comparison uses the endpoints as sent, before the deprecated topology is dropped.
    const saysMore = (draft.endpoints ?? []).some(({ deprecatedTopology }) => deprecatedTopology !== undefined);
    dropFields(draft, old, context);
    // The only kind whose labels count for its generation.
    if (saysMore || !sameValue(draft.metadata.labels, old.metadata.labels)) draft.metadata.generation = (old.metadata.generation ?? 0) + 1;
  },
  validateName: subdomainName,
  validate: validateEndpointSlice,
  validateUpdate: validateEndpointSliceUpdate,
  columns: endpointSliceColumns,
  models: 'Complete. Upstream: pkg/registry/discovery/endpointslice, pkg/apis/discovery/validation.',
  specification: endpointSliceSpecification,
  example: endpointSliceExample,
});
