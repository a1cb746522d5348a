/** Protobuf field numbers of Jobs, by struct. Source: v1.24 staging/src/k8s.io/api generated.proto. */
import type { Wire } from '../../machinery/index.ts';

export const jobWire: Wire = {
  Job: 'metadata=1 spec=2 status=3',
  JobCondition: 'type=1 status=2 lastProbeTime=3 lastTransitionTime=4 reason=5 message=6',
  JobStatus: 'conditions=1 startTime=2 completionTime=3 active=4 succeeded=5 failed=6 completedIndexes=7 uncountedTerminatedPods=8 ready=9',
  UncountedTerminatedPods: 'succeeded=1 failed=2',
};
