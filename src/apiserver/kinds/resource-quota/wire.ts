/** Protobuf field numbers of ResourceQuotas, by struct. Source: v1.24 staging/src/k8s.io/api generated.proto. */
import type { Wire } from '../../machinery/index.ts';

export const resourceQuotaWire: Wire = {
  ResourceQuota: 'metadata=1 spec=2 status=3',
  ResourceQuotaSpec: 'hard=1 scopes=2 scopeSelector=3',
  ResourceQuotaStatus: 'hard=1 used=2',
  ScopeSelector: 'matchExpressions=1',
  ScopedResourceSelectorRequirement: 'scopeName=1 operator=2 values=3',
};
