/** Fields as users' definitions of faults spell them, and as `faults --json` prints them: with the words of JSON Schema. */
import { own } from '../../schema/values/index.ts';
import type { FaultSpec, Field, Fields } from './fields.ts';

const WORDS = { says: 'description', among: 'enum', min: 'minimum', max: 'maximum', needed: 'required' } as const;

/** A part of a field in these words. */
type Spelled<F> = F extends readonly (infer I)[]
  ? readonly Spelled<I>[]
  : F extends object
    ? { readonly [K in keyof F as K extends keyof typeof WORDS ? (typeof WORDS)[K] : K]: Spelled<F[K]> }
    : F;
export type GivenField = Spelled<Field>;
export type GivenFields = Readonly<Record<string, GivenField>>;

/** A fault of a user: its fields are in the words of JSON Schema. */
export type Given<F extends FaultSpec> = Omit<F, 'subject' | 'parameters'> & {
  readonly subject: GivenField;
  readonly parameters: GivenFields;
};

function respelled(value: unknown, words: Readonly<Record<string, string>>): unknown {
  if (Array.isArray(value)) return value.map((each) => respelled(each, words));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([key, part]: [string, unknown]) => [
    own(words, key) ?? key,
    // Members have names of their own.
    key === 'fields' ? membersIn(part as object, words) : respelled(part, words),
  ]);
  return Object.fromEntries(members);
}

const membersIn = (fields: object, words: Readonly<Record<string, string>>): unknown =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, respelled(field, words)]));

const READ = Object.fromEntries(Object.entries(WORDS).map(([ours, given]) => [given, ours]));

/** Returns a fault of a user in the words of the format. */
export const readFault = <R extends Pick<Given<FaultSpec>, 'subject' | 'parameters'>>({ subject, parameters, ...rest }: R) => ({
  ...rest,
  subject: respelled(subject, READ) as Field,
  parameters: membersIn(parameters, READ) as Fields,
});

/** Returns the fields of a fault in the words of its author. */
export const givenFields = ({ subject, parameters }: FaultSpec): Pick<Given<FaultSpec>, 'subject' | 'parameters'> => ({
  subject: respelled(subject, WORDS) as GivenField,
  parameters: membersIn(parameters, WORDS) as GivenFields,
});
