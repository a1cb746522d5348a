/** A valid Deployment in which most validation rules apply. */
import { EXAMPLE_LABELS, EXAMPLE_TEMPLATE, type Example } from '../../machinery/index.ts';

export const deploymentExample: Example = {
  fields: () => ({
    spec: { replicas: 2, selector: { matchLabels: EXAMPLE_LABELS }, template: EXAMPLE_TEMPLATE, progressDeadlineSeconds: 60 },
  }),
};
