/**
 * The registry of agents: one line for each folder. The scheduler is not listed, because it takes part in leader election: the control
 * plane starts it.
 */
export { storageDrivers } from './storage-driver/index.ts';
export { nodeAgents } from './node/index.ts';
