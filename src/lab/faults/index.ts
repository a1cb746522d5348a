/**
 * Faults: rules on messages, and actions on processes. Those that a scenario names have one line each in `all.ts`, those that a search
 * injects one in `injections.ts`. The fields of a fault, its drawn values and its words are in the file of its effect.
 */
import { inOrder } from '../../schema/values/index.ts';
import * as all from './all.ts';
import type { InjectedFault, PointChoice } from '../scenario/index.ts';
import type { Fault, FaultKind } from './fault.ts';
import * as injections from './injections.ts';

export type { Fault, FaultKind, Sort } from './fault.ts';
export { SOMEBODY } from './meddle.ts';
export { transitionsIn } from './transitions.ts';

const FIRST = 'crash stop restart relist lag failRequest partition skew nodeDown nodeUp nodeNotReady nodeReady'.split(' ');

/** All faults in the order of the documentation: those of `FIRST`, then the others by name. */
export const faults: readonly Fault[] = inOrder(Object.values<Fault>(all), ({ name }) => name, FIRST);

const { oldRelist, ...others } = injections;
const byName: Readonly<Record<InjectedFault['do'], FaultKind>> = { ...others, 'old-relist': oldRelist };

/** All faults that a search injects, by name. */
export const faultKinds: readonly FaultKind[] = inOrder(Object.values(byName), ({ name }) => name, []);

export const kindOf = (injectedFault: InjectedFault): FaultKind => byName[injectedFault.do];

/** Returns how long a fault is in force, with what it delays, milliseconds. One that does not end is in force for no time. */
function inForceMs(fault: InjectedFault): number {
  if (fault.do === 'crash')
    return Math.max(fault.restartAfterMs + (fault.frozenMs ?? 0), fault.when === 'during' ? fault.arrivesAfterMs : 0);
  if ('forMs' in fault) return fault.forMs;
  if ('undoMs' in fault) return fault.undoMs ?? 0;
  return 'ms' in fault ? fault.ms : 0;
}

/** The longest time that a fault of a search is in force, milliseconds. */
export const LONGEST_FAULT_MS = Math.max(
  ...faultKinds.flatMap((kind) => kind.sorts.flatMap((sort) => kind.drawn(sort).map((injectedFault) => inForceMs(injectedFault)))),
);

export const choiceText = ({ at, injectedFault }: PointChoice): string => `${at}: ${kindOf(injectedFault).says(injectedFault)}`;
