/** The rows of the table of figures, in order. */
import { cold, sweeps } from './command.ts';
import { cron } from './cron.ts';
import { exact } from './exact.ts';
import type { FigureGroup } from './figure.ts';
import { literal, perCommit, real, smallJobs } from './jobs.ts';
import { idle, nodes } from './nodes.ts';

export { figureLine, isHeld, type Figure, type FigureGroup } from './figure.ts';

export const figureGroups: readonly FigureGroup[] = [literal, real, perCommit, smallJobs, cron, idle, nodes, sweeps, cold, exact];
