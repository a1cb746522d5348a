/** A valid StatefulSet in which most validation rules apply. */
import { EXAMPLE_LABELS, EXAMPLE_TEMPLATE, type Example } from '../../machinery/index.ts';

export const statefulSetExample: Example = {
  fields: () => ({
    spec: {
      serviceName: 's',
      replicas: 2,
      selector: { matchLabels: EXAMPLE_LABELS },
      template: EXAMPLE_TEMPLATE,
      volumeClaimTemplates: [
        { metadata: { name: 'd' }, spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } },
      ],
    },
  }),
};
