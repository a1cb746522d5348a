/** Faults: rules on messages, and actions on processes, one line each in `all.ts`. The fields of a fault are in the file of its effect. */
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

/** All faults in the order of the documentation: those of `FIRST`, then the others by name. */
export const faults: readonly Fault[] = inOrder(Object.values<Fault>(all), ({ name }) => name, FIRST);
