/** All mutants; a new list is a line here. */
import type { Mutant } from '../mutant.ts';
import { others } from './controllers.ts';
import { handlers } from './handlers.ts';
import { job } from './job.ts';
import { judging } from './judging.ts';
import { nodes } from './nodes.ts';
import { page } from './page.ts';
import { runtimeAndAgents } from './runtime.ts';
import { sets } from './sets.ts';
import { storage } from './storage.ts';
import { workloads } from './workloads.ts';

export const MUTANTS: readonly Mutant[] = [
  ...job,
  ...sets,
  ...workloads,
  ...others,
  ...runtimeAndAgents,
  ...nodes,
  ...handlers,
  ...storage,
  ...judging,
  ...page,
];
