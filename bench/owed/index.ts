/** What we owe: the rows of the table, in its order. */
import { cold, sweeps } from './command.ts';
import { cron } from './cron.ts';
import { exact } from './exact.ts';
import type { Owed } from './figure.ts';
import { literal, perCommit, real, smallJobs } from './jobs.ts';
import { idle, nodes } from './nodes.ts';

export { figureLine, isHeld, type Figure, type Owed } from './figure.ts';

export const owed: readonly Owed[] = [literal, real, perCommit, smallJobs, cron, idle, nodes, sweeps, cold, exact];
