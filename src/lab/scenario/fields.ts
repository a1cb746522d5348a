/**
 * The scenario format as data. One table gives the check of a file (check.ts), the types of its values (`Value`) and the JSON Schema for
 * editors (field-types.ts). Faults define their parameters with the same fields.
 */
import type { KindRegistry } from '../../apiserver/kinds/index.ts';
import type { Domain } from '../../apiserver/machinery/index.ts';
import type { Described, Schema } from '../../schema/shape/index.ts';
import type { RecordedWrite } from './recorded-writes.ts';
import type { Expression, FaultCall, Manifest, SourcedManifest, TargetRef } from './values.ts';

export type Fields = Readonly<Record<string, Field>>;

/** The valid values at one place of a file. */
export type Field = Pick<Described, 'says' | 'needed'> &
  (
    | {
        readonly type: 'string';
        readonly among?: readonly string[];
        readonly pattern?: { readonly source: string; readonly means: string };
        /** The text is the name of a process or a node of the cluster, or of a client outside. */ readonly names?:
          | 'process'
          | 'node'
          | 'client';
      }
    | { readonly type: 'boolean' }
    | { readonly type: 'integer'; readonly min?: number; readonly max?: number }
    /** `1h30m`; read as whole milliseconds. `as`: its name after reading; absent: the same with Ms. */
    | { readonly type: 'duration'; readonly as?: string }
    /** RFC 3339; read as milliseconds since the epoch. */
    | { readonly type: 'instant' }
    /** A text with a line for each write. */
    | { readonly type: 'recordedWrites' }
    /** `64`, `8Gi`, `500m`; read as text. */
    | { readonly type: 'quantity' }
    /** A name from one of the registries. */
    | { readonly type: 'name'; readonly of: 'kinds' | 'featureGates' }
    | { readonly type: 'invariantPattern' }
    | { readonly type: 'map'; readonly values: Field; readonly keys?: 'featureGates' }
    /** With `orOne`, a single item may be written without the list. */
    | { readonly type: 'list'; readonly items: Field; readonly orOne?: true; readonly minItems?: number; readonly maxItems?: number }
    | {
        readonly type: 'object';
        readonly fields: Fields;
        readonly exactlyOneOf?: readonly string[];
        readonly atLeastOneOf?: readonly string[];
        readonly atMostOneOf?: readonly (readonly string[])[];
        /** Members that require another one. */
        readonly needs?: Readonly<Record<string, string>>;
      }
    /** Forms of different shape: at most one scalar, one list, one mapping. */
    | { readonly type: 'either'; readonly forms: readonly Field[] }
    /** A CEL condition about the cluster, one object (`self`), or a change of one (`self` and `old`). */
    | { readonly type: 'expression'; readonly about: 'world' | 'self' | 'change' }
    | { readonly type: 'target'; readonly kind?: string }
    /** A partial object; `kind` is required. */
    | { readonly type: 'match' }
    /**
     * A manifest, `{ file: path }`, or a list of these. `lenient` ones may be invalid on purpose, and may lack an apiVersion; `partial`
     * ones may lack fields that are stored already.
     */
    | { readonly type: 'manifests'; readonly lenient?: true; readonly partial?: true }
    /** A mapping, inline or `{ file: path }`. */
    | { readonly type: 'document' }
    /** The configuration that a process reads at its start. */
    | { readonly type: 'agentConfig' }
    | { readonly type: 'schedulerFlags' }
    | { readonly type: 'agentFlags' }
    | { readonly type: 'fault' }
    | { readonly type: 'any' }
  );

/**
 * A fault as its author registers it. `{ crash: controller-manager, restartAfter: 10s }`: name `crash`, subject the process, parameter
 * `restartAfter`.
 */
export interface FaultSpec {
  readonly name: string;
  readonly description: string;
  /** The value of the member with the fault's name. */
  readonly subject: Field;
  readonly parameters: Fields;
}

export const faultField = ({ name, description, subject, parameters }: FaultSpec): Field & { readonly type: 'object' } => ({
  type: 'object',
  says: description,
  fields: { [name]: { ...subject, needed: true }, ...parameters },
});

/** The names in the registries; the checker suggests the nearest of them. */
export interface Vocabulary {
  readonly faults: readonly FaultSpec[];
  readonly invariants: readonly string[];
  readonly kinds: readonly string[];
  /** Returns the schema of a kind; absent: members of partial objects are not checked. */
  readonly schemaOf?: (kind: string, domain?: Domain) => Schema | undefined;
  /** Returns the kinds of a domain with their rules; absent: objects are checked only during the run. */
  readonly kindsOf?: (domain?: Domain) => KindRegistry;
  readonly featureGates: readonly string[];
}

/** The name of a member after reading: that of a duration has its unit. */
type NameOf<K, F extends Field> = F extends { readonly as: infer A extends string }
  ? A
  : F extends { readonly type: 'duration' }
    ? `${K & string}Ms`
    : K;
type RequiredKeys<F extends Fields> = { [K in keyof F]: F[K] extends { readonly needed: true } ? K : never }[keyof F];
type ObjectValue<F extends Fields> = { readonly [K in RequiredKeys<F> as NameOf<K, F[K]>]: Value<F[K]> } & {
  readonly [K in Exclude<keyof F, RequiredKeys<F>> as NameOf<K, F[K]>]?: Value<F[K]>;
};

export const nameOf = (name: string, field: Field): string => (field.type === 'duration' ? (field.as ?? `${name}Ms`) : name);

interface Leaves {
  readonly string: string;
  readonly boolean: boolean;
  readonly integer: number;
  readonly duration: number;
  readonly instant: number;
  readonly recordedWrites: readonly RecordedWrite[];
  readonly quantity: string;
  readonly name: string;
  readonly invariantPattern: string;
  readonly expression: Expression;
  readonly target: TargetRef;
  readonly match: Manifest;
  readonly manifests: readonly SourcedManifest[];
  readonly document: Manifest;
  readonly agentConfig: Manifest;
  readonly schedulerFlags: readonly string[];
  readonly agentFlags: readonly string[];
  readonly fault: FaultCall;
}

/** The type of a field's value after reading. */
export type Value<F extends Field> = F extends { readonly type: 'string'; readonly among: readonly (infer E)[] }
  ? E
  : F extends { readonly type: 'map'; readonly values: infer V extends Field }
    ? Readonly<Record<string, Value<V>>>
    : F extends { readonly type: 'list'; readonly items: infer I extends Field }
      ? readonly Value<I>[]
      : F extends { readonly type: 'object'; readonly fields: infer O extends Fields }
        ? ObjectValue<O>
        : F extends { readonly type: 'either'; readonly forms: readonly (infer E extends Field)[] }
          ? Value<E>
          : F extends { readonly type: infer T extends keyof Leaves }
            ? Leaves[T]
            : unknown;

export const text = (says: string) => ({ type: 'string', says }) as const;
export const choice = <const E extends readonly string[]>(says: string, ...values: E) => ({ type: 'string', among: values, says }) as const;
/** A text that matches a pattern, which a message puts in words. */
export const matching = (says: string, source: string, means: string) => ({ type: 'string', pattern: { source, means }, says }) as const;
export const integer = (says: string, min = 0, max?: number) =>
  ({ type: 'integer', min, ...(max === undefined ? {} : { max }), says }) as const;
export function duration(says: string): { readonly type: 'duration'; readonly says: string };
export function duration<const A extends string>(says: string, as: A): { readonly type: 'duration'; readonly says: string; readonly as: A };
export function duration(says: string, as?: string): Field {
  return { type: 'duration', ...(as === undefined ? {} : { as }), says };
}
export const quantity = (says: string) => ({ type: 'quantity', says }) as const;
export const flag = (says: string) => ({ type: 'boolean', says }) as const;
export const expression = <const A extends 'world' | 'self' | 'change'>(says: string, about: A) =>
  ({ type: 'expression', about, says }) as const;

type ListRules = Pick<Field & { readonly type: 'list' }, 'orOne' | 'minItems' | 'maxItems'>;
export const list = <const I extends Field>(says: string, items: I, rules?: ListRules) =>
  ({ type: 'list', items, ...rules, says }) as {
    readonly type: 'list';
    readonly items: I;
    readonly says: string;
  } & ListRules;
export const mapping = <const V extends Field>(says: string, values: V, rules?: Pick<Field & { readonly type: 'map' }, 'keys'>) =>
  ({ type: 'map', values, ...rules, says }) as const;
export const either = <const F extends readonly Field[]>(says: string, ...forms: F) => ({ type: 'either', says, forms }) as const;

type ObjectRules = Omit<Field & { readonly type: 'object' }, 'type' | 'says' | 'needed' | 'fields'>;
/** A mapping with these members, and rules about groups of them. */
export const object = <const F extends Fields>(says: string, fields: F, rules?: ObjectRules) =>
  ({ type: 'object', says, fields, ...rules }) as {
    readonly type: 'object';
    readonly says: string;
    readonly fields: F;
  } & ObjectRules;

export const required = <const F extends Field>(field: F) => ({ ...field, needed: true }) as F & { readonly needed: true };

export const texts = (says: string) => list(says, text('One of them.'));
export const labels = (says: string) => mapping(says, text('The value, a text.'));
export const exitCode = integer('An exit code.', 0, 255);
export const exitCodes = (says: string) => list(says, exitCode, { orOne: true, minItems: 1 });
export const objectName = (says: string) =>
  matching(says, '^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$', 'a name of lower case letters, digits, - and .');
