/** Admission of pods under node pressure. Models: v1.24 pkg/kubelet/eviction eviction_manager.go Admit. */
import type { Pod } from '../../../../apiserver/kinds/index.ts';
import type { Names } from '../../../../apiserver/machinery/index.ts';
import { isCritical } from '../admission/critical.ts';
import type { Refusal } from '../admission/refusal.ts';
import type { Pressure } from './thresholds.ts';

const tolerates = ({ spec }: Pod, key: string): boolean =>
  (spec.tolerations ?? []).some(
    (toleration) =>
      ((toleration.key ?? '') === '' || toleration.key === key) &&
      ((toleration.effect ?? '') === '' || toleration.effect === 'NoSchedule') &&
      (toleration.operator === 'Exists' || (toleration.value ?? '') === ''),
  );

/** Why a pod is refused; undefined: it is admitted. */
export function admitUnderPressure(pod: Pod, pressures: readonly Pressure[], names: Names): Refusal | undefined {
  if (pressures.length === 0 || isCritical(pod, names)) return undefined;
  const onlyMemory = pressures.length === 1 && pressures[0] === 'MemoryPressure';
  if (onlyMemory && (pod.status.qosClass !== 'BestEffort' || tolerates(pod, names.key('node', 'memory-pressure')))) return undefined;
  return { reason: 'Evicted', message: `The node had condition: [${pressures.join(' ')}]. ` };
}
