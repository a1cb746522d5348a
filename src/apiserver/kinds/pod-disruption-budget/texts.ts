/** Descriptions of PodDisruptionBudgets and their fields, in our words. Source: spec, "PodDisruptionBudget". */
import type { Texts } from '../../machinery/index.ts';

export const podDisruptionBudgetTexts: Texts = {
  PodDisruptionBudget: { '': 'How many pods may be evicted at a time.' },
  PodDisruptionBudgetSpec: {
    '': 'The budget: one of minAvailable and maxUnavailable.',
    minAvailable: 'How many must stay, as a number or a percentage.',
    selector: 'The pods.',
    maxUnavailable: 'How many may be gone, as a number or a percentage.',
  },
  PodDisruptionBudgetStatus: {
    '': 'What is left.',
    observedGeneration: 'The newest generation it was counted for.',
    disruptedPods: 'Pods whose eviction was granted and that are not gone yet.',
    disruptionsAllowed: 'How many may be evicted now.',
    currentHealthy: 'Pods that are well.',
    desiredHealthy: 'Pods that must be well.',
    expectedPods: 'Pods there should be.',
    conditions: 'Whether evictions are allowed.',
  },
};
