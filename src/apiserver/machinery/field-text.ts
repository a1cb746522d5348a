/** What fields mean, for people: the sentence of a field's schema, or the one that every kind has for it. */
import type { ObjectShape } from '../../schema/shape/index.ts';

const COMMON: ReadonlyMap<string, string> = new Map([
  ['kind', 'The kind of the object.'],
  ['apiVersion', 'The API group and version of this form.'],
  ['metadata', 'Name, labels, owners and other members of all kinds.'],
  ['spec', 'The desired state.'],
  ['status', 'The observed state, as last reported by the controller of the object.'],
]);

/** Returns what a field of a struct means, as a sentence or two; undefined: its schema does not say. */
export const fieldText = ({ fields }: ObjectShape, name: string): string | undefined =>
  Object.hasOwn(fields, name) ? (fields[name]?.says ?? COMMON.get(name)) : undefined;
