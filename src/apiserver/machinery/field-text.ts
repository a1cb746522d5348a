/** What fields mean, for people: the sentence of a field's schema, or the one that every kind has for it. */
import type { ObjectShape } from '../../schema/shape/index.ts';

const COMMON: ReadonlyMap<string, string> = new Map([
  ['kind', 'Which kind of object this is.'],
  ['apiVersion', 'Group and version of the API that this form belongs to.'],
  ['metadata', 'Name, labels, owners and whatever else objects of all kinds have.'],
  ['spec', 'What is wanted.'],
  ['status', 'What is the case, as whoever acts on the object last reported it.'],
]);

/** Returns what a field of a struct means, as a sentence or two; undefined: its schema does not say. */
export const fieldText = ({ fields }: ObjectShape, name: string): string | undefined =>
  Object.hasOwn(fields, name) ? (fields[name]?.says ?? COMMON.get(name)) : undefined;
