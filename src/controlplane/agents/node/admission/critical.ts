/** Critical pods. Models: v1.24 pkg/kubelet/types IsCriticalPod. */
import type { Pod } from '../../../../apiserver/kinds/index.ts';
import type { Names } from '../../../../apiserver/machinery/index.ts';

/** Pods with at least this priority are system-critical. */
const SYSTEM_CRITICAL = 2_000_000_000;

/** Whether a pod is never evicted or preempted: it is static, or system-critical. */
export const isCritical = ({ metadata: { annotations }, spec }: Pod, names: Names): boolean =>
  (annotations?.[names.key('', 'config.source')] ?? 'api') !== 'api' ||
  annotations?.[names.key('', 'config.mirror')] !== undefined ||
  (spec.priority ?? 0) >= SYSTEM_CRITICAL;
