/** A valid ResourceQuota in which most validation rules apply. */
import type { Example } from '../../machinery/index.ts';

export const resourceQuotaExample: Example = {
  fields: () => ({
    spec: {
      hard: { pods: '100', 'requests.cpu': '10' },
      scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In', values: ['high'] }] },
    },
  }),
};
