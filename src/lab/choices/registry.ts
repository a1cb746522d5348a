/** The faults there are, by name. */
import type { InjectedFault, PointChoice } from '../scenario/index.ts';
import type { FaultKind } from './fault.ts';
import * as all from './faults/all.ts';

const byName: Readonly<Record<InjectedFault['do'], FaultKind>> = all;

/** All faults, by name. */
export const faultKinds: readonly FaultKind[] = Object.values<FaultKind>(byName);

/** What there is to know of a fault. */
export const kindOf = (injectedFault: InjectedFault): FaultKind => byName[injectedFault.do];

/** A choice as a sentence: where, and what. */
export const choiceText = ({ at, injectedFault }: PointChoice): string => `${at}: ${kindOf(injectedFault).says(injectedFault)}`;
