/** Expected differences in recorded cases of DaemonSets. */
import type { Deviation } from './deviation.ts';

export const DAEMON_DEVIATIONS: readonly Deviation[] = [
  {
    case: 'dms-node-full-other-pod-leaves',
    folder: 'v1.24-workloads',
    reason:
      'nodes of concurrent cases retried the pod in the recorded scheduler, with a longer back-off each time; two recordings differ in this too',
    differences: [/^time {4}Running Pod of d sim:1 #1: 8\.87 vs 4\.9\d+$/],
  },
];
