/** Protobuf field numbers of PriorityClasses, by struct. Source: v1.24 staging/src/k8s.io/api generated.proto. */
import type { Wire } from '../../machinery/index.ts';

export const priorityClassWire: Wire = {
  PriorityClass: 'metadata=1 value=2 globalDefault=3 description=4 preemptionPolicy=5',
};
