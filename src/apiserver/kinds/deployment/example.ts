/** A valid Deployment, filled well enough that its rules have something to look at. */
import { EXAMPLE_LABELS, EXAMPLE_TEMPLATE, type Example } from '../../machinery/index.ts';

export const deploymentExample: Example = {
  fields: () => ({
    spec: { replicas: 2, selector: { matchLabels: EXAMPLE_LABELS }, template: EXAMPLE_TEMPLATE, progressDeadlineSeconds: 60 },
  }),
};
