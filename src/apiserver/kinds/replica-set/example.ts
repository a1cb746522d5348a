/** A valid ReplicaSet in which most validation rules apply. */
import { EXAMPLE_LABELS, EXAMPLE_TEMPLATE, type Example } from '../../machinery/index.ts';

export const replicaSetExample: Example = {
  fields: () => ({
    spec: { replicas: 2, minReadySeconds: 1, selector: { matchLabels: EXAMPLE_LABELS }, template: EXAMPLE_TEMPLATE },
  }),
};
