/**
 * Virtual time. A kernel holds pending events as plain records ordered by (time, sequence). It takes the first, sets the clock to its time
 * and passes it to one handler. Nothing else moves the clock. Times are whole milliseconds since the epoch.
 */
export { type Channel, type Pending, UNOFFERED } from './channels.ts';
export { Kernel, LimitTripped, type KernelOptions, type Limits } from './kernel.ts';
