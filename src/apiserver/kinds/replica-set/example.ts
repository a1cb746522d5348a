/** A valid ReplicaSet, filled well enough that its rules have something to look at. */
import { EXAMPLE_LABELS, EXAMPLE_TEMPLATE, type Example } from '../../machinery/index.ts';

export const replicaSetExample: Example = {
  fields: () => ({
    spec: { replicas: 2, minReadySeconds: 1, selector: { matchLabels: EXAMPLE_LABELS }, template: EXAMPLE_TEMPLATE },
  }),
};
