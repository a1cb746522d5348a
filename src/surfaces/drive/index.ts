/** Anybody's programs as clients of a simulated cluster: `drive` starts them against a scenario, and lets time pass while they are idle. */
export { drive, Undrivable, type Command, type Driven, type DriveOptions, type ReadyWhen } from './drive.ts';
export { foreignKubeconfig } from './connection.ts';
export type { Pace } from './activity.ts';
