/** Where runs of recorded DaemonSets differ. */
import type { Deviation } from './deviation.ts';

export const DAEMON_DEVIATIONS: readonly Deviation[] = [
  {
    case: 'dms-node-full-other-pod-leaves',
    folder: 'v1.24-workloads',
    reason:
      'nodes of other cases came and went beside it and woke the recorded scheduler, which put the pod off for longer each time; two recordings differ in this too',
    differences: [/^time {4}Running Pod of d sim:1 #1: 8\.87 vs 4\.9\d+$/],
  },
];
