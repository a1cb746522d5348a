/** NetworkPolicy: traffic that pods may have. Models: v1.24 networking/v1 NetworkPolicy, pkg/registry/networking/networkpolicy. */
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
  // While the status has no sub-resource of its own to protect (its gate is off), a replace writes it.
  prepareForUpdate(draft, old, context) {
    if (context.gates['NetworkPolicyStatus'] === true) keepStatus(draft, old);
    dropRanges(draft, old, context);
  },
  prepareForStatusUpdate(draft, old, { gates }) {
    keepSpec(draft, old);
    // Its one field has a gate.
    if (gates['NetworkPolicyStatus'] !== true && old.status.conditions === undefined) draft.status = {};
  },
  validateName: subdomainName,
  validate: (object, context: KindContext) => [...validateMeta(object, true, subdomainName, context), ...specErrors(object)],
  validateUpdate(object, old, context) {
    const own = specErrors(object);
    // What is wrong is found by the rules of creation and again by those of a change.
    return [...validateMeta(object, true, subdomainName, context), ...own, ...validateMetaUpdate(object, old, context), ...own];
  },
  validateStatusUpdate: (object) => validateConditions(object.status.conditions),
  columns: networkPolicyColumns,
  models: 'Complete. Upstream: pkg/registry/networking/networkpolicy, pkg/apis/networking/validation.',
  specification: networkPolicySpecification,
  example: networkPolicyExample,
});
