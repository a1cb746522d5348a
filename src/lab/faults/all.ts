/** All faults, one line for each file. */
export { crash } from './crash.ts';
export { stop, restart, relist } from './processes.ts';
export { freezeFault as freeze, gapFault as gap } from './staleness.ts';
export { meddleFault as meddle } from './meddle.ts';
export { configure } from './processes.ts';
export { lag, failRequest, partition } from './network.ts';
export { closeWatches, pause, slowReader, slowRequests, withholdBookmarks } from './clients.ts';
export { skew } from './processes.ts';
export { nodeDown, nodeUp, nodeNotReady, nodeReady } from './nodes.ts';
