/** All topics, in the order in which they are listed. A topic is a file and a line. */
import type { Topic } from '../topic.ts';
import { controllers } from './controllers.ts';
import { determinism } from './determinism.ts';
import { exitCodes } from './exit-codes.ts';
import { faults } from './faults.ts';
import { invariants } from './invariants.ts';
import { kinds } from './kinds.ts';
import { lessons } from './lessons.ts';
import { limits } from './limits.ts';
import { pages } from './pages.ts';
import { scenarios } from './scenarios.ts';
import { searching } from './searching.ts';
import { time } from './time.ts';

export const topics: readonly Topic[] = [
  scenarios,
  faults,
  invariants,
  lessons,
  searching,
  pages,
  controllers,
  kinds,
  time,
  determinism,
  limits,
  exitCodes,
];
