/** A valid HorizontalPodAutoscaler in which most validation rules apply. */
import type { Example } from '../../machinery/index.ts';

export const horizontalPodAutoscalerExample: Example = {
  fields: () => ({
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
      minReplicas: 2,
      maxReplicas: 10,
      metrics: [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 60 } } }],
      behavior: { scaleDown: { stabilizationWindowSeconds: 60 } },
    },
  }),
};
