/** Ingress: rules from hosts and paths to services. Models: v1.24 networking/v1 Ingress, pkg/registry/networking/ingress. */
import { defineKind, keepStatus, subdomainName } from '../../machinery/index.ts';
import { ingressSpecification } from './specification.ts';
import { ingressColumns } from './columns.ts';
import { validateIngress, validateIngressStatusUpdate, validateIngressUpdate } from './rules.ts';
import { type Ingress, ingressSchema } from './shape.ts';
import { ingressExample } from './example.ts';

export const ingress = defineKind<Ingress>({
  kind: 'Ingress',
  plural: 'ingresses',
  shortNames: ['ing'],
  groupPrefix: 'networking',
  version: 'v1',
  namespaced: true,
  schema: ingressSchema,
  subresources: ['status'],
  generation: 'spec',
  invalidGroup: 'extensions',
  prepareForCreate(draft) {
    draft.status = { loadBalancer: {} };
  },
  prepareForUpdate: keepStatus,
  validateName: subdomainName,
  validate: validateIngress,
  validateUpdate: validateIngressUpdate,
  validateStatusUpdate: validateIngressStatusUpdate,
  columns: ingressColumns,
  models: 'Complete. Upstream: pkg/registry/networking/ingress, pkg/apis/networking/validation.',
  specification: ingressSpecification,
  example: ingressExample,
});
