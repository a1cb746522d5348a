/** Descriptions of ResourceQuotas and their fields, in our words. Source: spec, "ResourceQuota". */
import type { Texts } from '../../machinery/index.ts';

export const resourceQuotaTexts: Texts = {
  ResourceQuota: { '': 'Limits the resources of a namespace.' },
  ResourceQuotaSpec: {
    '': 'The limits.',
    hard: 'By resource, or count/PLURAL.GROUP.',
    scopes: 'Counts only objects that match all scopes.',
    scopeSelector: 'Scopes with values.',
  },
  ResourceQuotaStatus: { '': 'The observed usage.', hard: 'The enforced limits.', used: 'The usage.' },
  ScopeSelector: { '': 'The objects that are counted.', matchExpressions: 'All must match.' },
  ScopedResourceSelectorRequirement: {
    '': 'One requirement.',
    scopeName: 'The scope.',
    operator: 'In, NotIn, Exists or DoesNotExist.',
    values: 'For In and NotIn.',
  },
};
