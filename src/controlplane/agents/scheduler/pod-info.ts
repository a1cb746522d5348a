/** The fields of a pod that scheduling reads. Models: v1.24 pkg/scheduler/framework types (PodInfo). */
import { keyOf } from '../../../apiserver/machinery/index.ts';
import type { Pod } from '../../../apiserver/kinds/index.ts';
import { requestsOf, type SpecInfo } from '../../shared/index.ts';

export interface PodInfo {
  readonly pod: Pod;
  readonly key: string;
  readonly uid: string;
  readonly spec: SpecInfo;
  readonly priority: number;
}

/** The scheduling fields of a pod, with its key if the caller has it. */
export function podInfo(pod: Pod, key: string = keyOf(pod)): PodInfo {
  return { pod, key, uid: pod.metadata.uid, spec: requestsOf(pod.spec), priority: pod.spec.priority ?? 0 };
}
