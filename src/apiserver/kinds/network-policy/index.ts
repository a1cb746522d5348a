/** NetworkPolicy: allowed traffic of pods. Models: v1.24 networking/v1 NetworkPolicy, pkg/registry/networking/networkpolicy. */
import {
  defineKind,
  keepSpec,
  keepStatus,
  type KindContext,
  subdomainName,
  validateConditions,
  validateMeta,
  validateMetaUpdate,
} from '../../machinery/index.ts';
import { networkPolicySpecification } from './specification.ts';
import { networkPolicyColumns } from './columns.ts';
import { dropRanges, specErrors } from './rules.ts';
import { type NetworkPolicy, networkPolicySchema } from './shape.ts';
import { networkPolicyExample } from './example.ts';

export const networkPolicy = defineKind<NetworkPolicy>({
  kind: 'NetworkPolicy',
  plural: 'networkpolicies',
  shortNames: ['netpol'],
  groupPrefix: 'networking',
  version: 'v1',
  namespaced: true,
  schema: networkPolicySchema,
  subresources: ['status'],
  generation: 'spec',
  invalidGroup: 'extensions',
  prepareForCreate(draft, context) {
    draft.status = {};
    dropRanges(draft, undefined, context);
  },
  // While the gate of the status sub-resource is off, an ordinary update writes the status.
  prepareForUpdate(draft, old, context) {
    if (context.gates['NetworkPolicyStatus'] === true) keepStatus(draft, old);
    dropRanges(draft, old, context);
  },
  prepareForStatusUpdate(draft, old, { gates }) {
    keepSpec(draft, old);
    // The only field of the status has a gate.
    if (gates['NetworkPolicyStatus'] !== true && old.status.conditions === undefined) draft.status = {};
  },
  validateName: subdomainName,
  validate: (object, context: KindContext) => [...validateMeta(object, true, subdomainName, context), ...specErrors(object)],
  validateUpdate(object, old, context) {
    const own = specErrors(object);
    // Errors are found by the validation of creations, and again by that of updates.
    return [...validateMeta(object, true, subdomainName, context), ...own, ...validateMetaUpdate(object, old, context), ...own];
  },
  validateStatusUpdate: (object) => validateConditions(object.status.conditions),
  columns: networkPolicyColumns,
  models: 'Complete. Upstream: pkg/registry/networking/networkpolicy, pkg/apis/networking/validation.',
  specification: networkPolicySpecification,
  example: networkPolicyExample,
});
