/** Faults: rules on messages and deeds to processes, a line each. What a scenario may say of one stands beside what it does. */
import { crash, relist, restart, stop } from './crash.ts';
import type { Fault } from './fault.ts';
import { failRequest, lag, partition, skew } from './network.ts';
import { nodeDown, nodeNotReady, nodeReady, nodeUp } from './nodes.ts';

export type { Fault } from './fault.ts';

/** All faults, in the order in which documentation lists them. */
export const faults: readonly Fault[] = [
  crash,
  stop,
  restart,
  relist,
  lag,
  failRequest,
  partition,
  skew,
  nodeDown,
  nodeUp,
  nodeNotReady,
  nodeReady,
];
