/** All faults, one line for each file. */
export { crash, stop, restart, relist } from './crash.ts';
export { configure } from './configure.ts';
export { lag, failRequest, partition, skew } from './network.ts';
export { nodeDown, nodeUp, nodeNotReady, nodeReady } from './nodes.ts';
