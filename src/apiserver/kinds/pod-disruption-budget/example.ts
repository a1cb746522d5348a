/** A valid PodDisruptionBudget in which most validation rules apply. */
import { EXAMPLE_LABELS, type Example } from '../../machinery/index.ts';

export const podDisruptionBudgetExample: Example = {
  fields: () => ({ spec: { minAvailable: '50%', selector: { matchLabels: EXAMPLE_LABELS } } }),
};
