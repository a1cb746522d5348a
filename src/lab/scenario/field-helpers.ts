/** The functions to write the format with. Each returns plain data and keeps literal types, so that `Value` can read them. */
import type { Field, Fields } from './fields.ts';

export const text = (description: string) => ({ type: 'string', description }) as const;
/** A text of a closed set. */
export const choice = <const E extends readonly string[]>(description: string, ...values: E) =>
  ({ type: 'string', enum: values, description }) as const;
/** A text that matches a pattern, which a message puts in words. */
export const matching = (description: string, source: string, means: string) =>
  ({ type: 'string', pattern: { source, means }, description }) as const;
export const integer = (description: string, minimum = 0, maximum?: number) =>
  ({ type: 'integer', minimum, ...(maximum === undefined ? {} : { maximum }), description }) as const;
export const duration = (description: string, as?: string) =>
  ({ type: 'duration', ...(as === undefined ? {} : { as }), description }) as const;
export const quantity = (description: string) => ({ type: 'quantity', description }) as const;
export const flag = (description: string) => ({ type: 'boolean', description }) as const;
/** A CEL condition. */
export const expression = <const A extends 'world' | 'self' | 'change'>(description: string, about: A) =>
  ({ type: 'expression', about, description }) as const;

type ListRules = Pick<Field & { readonly type: 'list' }, 'orOne' | 'minItems' | 'maxItems'>;
export const list = <const I extends Field>(description: string, items: I, rules?: ListRules) =>
  ({ type: 'list', items, ...rules, description }) as {
    readonly type: 'list';
    readonly items: I;
    readonly description: string;
  } & ListRules;
export const mapping = <const V extends Field>(description: string, values: V, rules?: Pick<Field & { readonly type: 'map' }, 'keys'>) =>
  ({ type: 'map', values, ...rules, description }) as const;
/** One of several forms; see `Field`. */
export const either = <const F extends readonly Field[]>(description: string, ...forms: F) =>
  ({ type: 'either', description, forms }) as const;

type ObjectRules = Omit<Field & { readonly type: 'object' }, 'type' | 'description' | 'required' | 'fields'>;
/** A mapping with these members, and rules about groups of them. */
export const object = <const F extends Fields>(description: string, fields: F, rules?: ObjectRules) =>
  ({ type: 'object', description, fields, ...rules }) as {
    readonly type: 'object';
    readonly description: string;
    readonly fields: F;
  } & ObjectRules;

export const required = <const F extends Field>(field: F) => ({ ...field, required: true }) as F & { readonly required: true };

export const texts = (description: string) => list(description, text('One of them.'));
export const labels = (description: string) => mapping(description, text('The value, a text.'));
export const exitCode = integer('An exit code.', 0, 255);
export const exitCodes = (description: string) => list(description, exitCode, { orOne: true, minItems: 1 });
export const objectName = (description: string) =>
  matching(description, '^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$', 'a name of lower case letters, digits, - and .');
