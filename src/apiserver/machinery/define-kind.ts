/** Construction of kinds: common values are defined once here, and every hook has the type of its objects. */
import { ageColumn, nameColumn } from './columns.ts';
import type { ColumnOf, FieldValue, Kind, KindContext, Lookup } from './kind.ts';
import type { ApiObject } from './object.ts';
import type { Rule } from './rules.ts';
import type { FieldError } from './status.ts';
import type { CreateHooks, UpdateHooks } from './strategy.ts';

type Common =
  | 'singular'
  | 'shortNames'
  | 'categories'
  | 'subresources'
  | 'generation'
  | 'allowCreateOnUpdate'
  | 'allowUnconditionalUpdate'
  | 'deleteReturns'
  | 'defaultPropagation';
type Hooks =
  | 'applyDefaults'
  | 'prepareForCreate'
  | 'prepareForUpdate'
  | 'prepareForStatusUpdate'
  | 'validate'
  | 'validateUpdate'
  | 'validateStatusUpdate'
  | 'validateIn'
  | 'settle'
  | 'specification'
  | 'warnings'
  | 'fieldSelectors'
  | 'columns';

/** The definition of a kind; omitted members get the most common values. Hooks get decoded objects, so these have the kind's type. */
export interface KindDefinition<O extends ApiObject> extends Omit<Kind, Common | Hooks>, Partial<Pick<Kind, Common>> {
  readonly applyDefaults?: CreateHooks<O>;
  readonly prepareForCreate?: CreateHooks<O>;
  readonly prepareForUpdate?: UpdateHooks<O>;
  readonly prepareForStatusUpdate?: UpdateHooks<O>;
  validate(object: O, context: KindContext): readonly FieldError[];
  validateUpdate(object: O, old: O, context: KindContext): readonly FieldError[];
  validateStatusUpdate?(object: O, old: O, context: KindContext): readonly FieldError[];
  validateIn?(version: string, object: O, old: O | undefined, context: KindContext): readonly FieldError[];
  settle?(object: O, lookup: Lookup, context: KindContext): O;
  readonly specification?: readonly Rule<O>[];
  warnings?(object: O, old: O | undefined, context: KindContext): readonly string[];
  readonly fieldSelectors?: Readonly<Record<string, FieldValue<O>>>;
  readonly columns?: readonly ColumnOf<O>[];
}

/** The members that differ between kinds with shared rules. */
export type KindParts<O extends ApiObject> = Pick<
  KindDefinition<O>,
  'kind' | 'plural' | 'namespaced' | 'schema' | 'specification' | 'example'
>;

/** A kind whose objects have a type. */
export interface KindOf<O extends ApiObject> extends Kind {
  /** Never present at runtime: it only has the type. */
  readonly objects?: O;
}

/** Returns a kind, with the most common values for omitted members. */
export const defineKind = <O extends ApiObject>(definition: KindDefinition<O>): KindOf<O> => ({
  singular: definition.kind.toLowerCase(),
  shortNames: [],
  categories: [],
  subresources: [],
  generation: 'none',
  allowCreateOnUpdate: false,
  allowUnconditionalUpdate: true,
  deleteReturns: 'Status',
  defaultPropagation: 'Background',
  columns: [nameColumn, ageColumn],
  ...definition,
});
