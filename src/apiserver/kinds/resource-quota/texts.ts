/** Descriptions of ResourceQuotas and their fields, in our words. Source: spec, "ResourceQuota". */
import type { Texts } from '../../machinery/index.ts';

export const resourceQuotaTexts: Texts = {
  ResourceQuota: { '': 'How much a namespace may have.' },
  ResourceQuotaSpec: {
    '': 'The limits.',
    hard: 'By resource, or count/PLURAL.GROUP.',
    scopes: 'Only objects for which all of these hold.',
    scopeSelector: 'The same, with values.',
  },
  ResourceQuotaStatus: { '': 'What is used.', hard: 'The limits that hold.', used: 'What there is.' },
  ScopeSelector: { '': 'Objects that count.', matchExpressions: 'All must hold.' },
  ScopedResourceSelectorRequirement: {
    '': 'One requirement.',
    scopeName: 'The scope.',
    operator: 'In, NotIn, Exists or DoesNotExist.',
    values: 'For In and NotIn.',
  },
};
