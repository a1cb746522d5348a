/** The deeds there are, by name. */
import type { Deed, PointChoice } from '../scenario/index.ts';
import type { DeedKind } from './deed.ts';
import * as all from './deeds/all.ts';

const byName: Readonly<Record<Deed['do'], DeedKind>> = all;

/** All deeds, by name. */
export const deedKinds: readonly DeedKind[] = Object.values<DeedKind>(byName);

/** What there is to know of a deed. */
export const kindOf = (deed: Deed): DeedKind => byName[deed.do];

/** A choice as a sentence: where, and what. */
export const choiceText = ({ at, deed }: PointChoice): string => `${at}: ${kindOf(deed).says(deed)}`;
