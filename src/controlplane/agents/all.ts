/** Every agent that comes with a cluster: a folder and a line. The scheduler stands for election, so the control plane starts it. */
export { storageDrivers } from './storage-driver/index.ts';
export { nodeAgents } from './node/index.ts';
