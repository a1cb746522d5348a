/** The registry of the faults that a search injects, by name. */
import type { InjectedFault, PointChoice } from '../scenario/index.ts';
import type { FaultKind } from './fault.ts';
import * as all from './faults/all.ts';

const byName: Readonly<Record<InjectedFault['do'], FaultKind>> = all;

/** All faults, by name. */
export const faultKinds: readonly FaultKind[] = Object.values<FaultKind>(byName);

/** Returns a fault by its name. */
export const kindOf = (injectedFault: InjectedFault): FaultKind => byName[injectedFault.do];

/** Returns a choice as a sentence: the point, and the fault. */
export const choiceText = ({ at, injectedFault }: PointChoice): string => `${at}: ${kindOf(injectedFault).says(injectedFault)}`;
