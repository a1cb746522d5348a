/** Descriptions of PodDisruptionBudgets and their fields, in our words. Source: spec, "PodDisruptionBudget". */
import type { Texts } from '../../machinery/index.ts';

export const podDisruptionBudgetTexts: Texts = {
  PodDisruptionBudget: { '': 'Limits the number of pods that are evicted at the same time.' },
  PodDisruptionBudgetSpec: {
    '': 'The budget: either minAvailable or maxUnavailable.',
    minAvailable: 'The number of pods that must stay, or a percentage.',
    selector: 'The pods.',
    maxUnavailable: 'The number of pods that may be missing, or a percentage.',
  },
  PodDisruptionBudgetStatus: {
    '': 'The observed state.',
    observedGeneration: 'The latest generation that the controller has processed.',
    disruptedPods: 'Pods whose eviction was granted and that still exist.',
    disruptionsAllowed: 'The number of evictions allowed now.',
    currentHealthy: 'Healthy pods.',
    desiredHealthy: 'The required number of healthy pods.',
    expectedPods: 'The expected number of pods.',
    conditions: 'Whether evictions are allowed.',
  },
};
