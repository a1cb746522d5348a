/** Which pods a node does not do without. Models: v1.24 pkg/kubelet/types IsCriticalPod. */
import type { Pod } from '../../../../apiserver/kinds/index.ts';
import type { Names } from '../../../../apiserver/vocabulary/index.ts';

/** From this priority on pods belong to the system. */
const SYSTEM_CRITICAL = 2_000_000_000;

/** Pods that are never evicted: of a file of the node, or as important as the system. */
export const isCritical = ({ metadata: { annotations }, spec }: Pod, names: Names): boolean =>
  (annotations?.[names.key('', 'config.source')] ?? 'api') !== 'api' ||
  annotations?.[names.key('', 'config.mirror')] !== undefined ||
  (spec.priority ?? 0) >= SYSTEM_CRITICAL;
