/**
 * Virtual time. A kernel holds what may happen next as plain records ordered by (time, sequence), takes the first,
 * sets the clock to it and hands it to one handler. Nothing else moves time. Times are whole milliseconds since the epoch.
 */
export { createKernel, UNOFFERED, type Kernel, type KernelOptions, type Channel, type Pending } from './kernel.ts';
export { LimitTripped, type Limits } from './limits.ts';
