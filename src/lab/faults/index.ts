/** Faults: rules on messages, and actions on processes, a line each in `all.ts`. What a scenario may say of one stands beside what it does. */
import { inOrder } from '../../schema/values/index.ts';
import * as all from './all.ts';
import type { Fault } from './fault.ts';

export type { Fault } from './fault.ts';
export { cutOff, oldRevision, planReturn, refusal, setWrong } from './helpers.ts';

const FIRST: readonly string[] = [
  'crash',
  'stop',
  'restart',
  'relist',
  'lag',
  'failRequest',
  'partition',
  'skew',
  'nodeDown',
  'nodeUp',
  'nodeNotReady',
  'nodeReady',
];

/** All faults, in the order in which documentation lists them: those of `FIRST`, then the others by name. */
export const faults: readonly Fault[] = inOrder(Object.values<Fault>(all), ({ name }) => name, FIRST);
