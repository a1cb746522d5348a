/** All mutants; a list more is a line here. */
import type { Mutant } from '../mutant.ts';
import { others } from './controllers.ts';
import { door } from './door.ts';
import { job } from './job.ts';
import { runtimeAndAgents } from './runtime.ts';
import { sets } from './sets.ts';

export const MUTANTS: readonly Mutant[] = [...job, ...sets, ...others, ...runtimeAndAgents, ...door];
