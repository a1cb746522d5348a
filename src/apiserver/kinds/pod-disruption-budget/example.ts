/** A valid PodDisruptionBudget, filled well enough that its rules have something to look at. */
import { EXAMPLE_LABELS, type Example } from '../../machinery/index.ts';

export const podDisruptionBudgetExample: Example = {
  fields: () => ({ spec: { minAvailable: '50%', selector: { matchLabels: EXAMPLE_LABELS } } }),
};
