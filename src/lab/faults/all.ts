/** All faults, one line for each file. */
export { crash, stop, restart, relist } from './processes.ts';
export { configure } from './configure.ts';
export { lag, failRequest, partition } from './network.ts';
export { closeWatches, freeze, pause, slowReader, slowRequests, withholdBookmarks } from './clients.ts';
export { skew } from './clock.ts';
export { nodeDown, nodeUp, nodeNotReady, nodeReady } from './nodes.ts';
