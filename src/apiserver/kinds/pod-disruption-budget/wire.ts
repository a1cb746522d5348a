/** Protobuf field numbers of PodDisruptionBudgets, by struct. Source: v1.24 staging/src/k8s.io/api generated.proto. */
import type { Wire } from '../../machinery/index.ts';

export const podDisruptionBudgetWire: Wire = {
  PodDisruptionBudget: 'metadata=1 spec=2 status=3',
  PodDisruptionBudgetSpec: 'minAvailable=1 selector=2 maxUnavailable=3',
  PodDisruptionBudgetStatus:
    'observedGeneration=1 disruptedPods=2 disruptionsAllowed=3 currentHealthy=4 desiredHealthy=5 expectedPods=6 conditions=7',
};
