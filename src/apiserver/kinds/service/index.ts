/** Service: a name for a set of pods. Models: v1.24 core/v1 Service, pkg/registry/core/service. The server allocates cluster IPs. */
import { defineKind, label1035Name } from '../../machinery/index.ts';
import { serviceColumns } from './columns.ts';
import { validateNewService, validateServiceStatusUpdate, validateServiceUpdate } from './rules.ts';
import { type Service, serviceSchema } from './shape.ts';
import { serviceExample } from './example.ts';
import { serviceSpecification } from './specification.ts';
import { dropAffinity, prepareService, prepareServiceUpdate } from './strategy.ts';

export const service = defineKind<Service>({
  kind: 'Service',
  plural: 'services',
  shortNames: ['svc'],
  categories: ['all'],
  groupPrefix: '',
  version: 'v1',
  namespaced: true,
  schema: serviceSchema,
  subresources: ['status'],
  allowCreateOnUpdate: true,
  deleteReturns: 'object',
  applyDefaults: { reads: ['spec'], run: dropAffinity },
  prepareForCreate: prepareService,
  prepareForUpdate: prepareServiceUpdate,
  validateName: label1035Name,
  validate: validateNewService,
  validateUpdate: validateServiceUpdate,
  validateStatusUpdate: validateServiceStatusUpdate,
  columns: serviceColumns,
  models:
    'Schema complete; one IP family; load balancers are not provisioned. Upstream: pkg/registry/core/service, pkg/apis/core/validation.',
  specification: serviceSpecification,
  example: serviceExample,
});
