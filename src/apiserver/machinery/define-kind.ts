/** Construction of kinds: common values are defined once here, and every hook has the type of its objects. */
import { append } from '../../schema/values/index.ts';
import { ageColumn, fieldColumns, nameColumn } from './columns.ts';
import { gatedHooks } from './gated.ts';
import type { Column, ColumnOf, Kind, KindHooks, Rule, RuleOf } from './kind.ts';
import type { ApiObject, FieldError, KindContext } from '../objects/index.ts';
import type { ObjectShape } from '../../schema/shape/index.ts';
import { fixedErrors, memberErrors, type NameRule, subdomainName, validateMeta, validateMetaUpdate } from '../validation/index.ts';

type Common =
  | 'kind'
  | 'plural'
  | 'groupPrefix'
  | 'version'
  | 'namespaced'
  | 'singular'
  | 'shortNames'
  | 'categories'
  | 'subresources'
  | 'generation'
  | 'allowCreateOnUpdate'
  | 'allowUnconditionalUpdate'
  | 'deleteReturns'
  | 'defaultPropagation';
type Judged = 'validate' | 'validateUpdate' | 'specification' | 'columns';

type Judge<O extends ApiObject, Rest extends readonly unknown[]> = (
  object: O,
  context: KindContext,
  ...rest: Rest
) => readonly FieldError[];

/**
 * One step of a validation: the metadata of an object (`if valid`: unless a step before it has errors), their change, members that must not change (`fixed`), the facets of a member by its
 * path, a function for what spans members, or the function of one member. The path of a struct is about those of its members that no step
 * names, so that a new field is judged without being named.
 */
export type Check<O extends ApiObject, Rest extends readonly unknown[] = []> =
  | 'metadata'
  | 'metadata if valid'
  | 'changed metadata'
  | 'fixed'
  | (string & {})
  | Judge<O, Rest>
  | readonly [path: string, judge: Judge<O, Rest>];

/** A column: its name, type and description, and what it shows of an object; `wide`: only in wide output. */
export type Cell<O extends ApiObject> = readonly [
  name: string,
  type: Column['type'],
  description: string,
  cell: ColumnOf<O>['cell'],
  priority?: 'wide',
];

type Shown<O extends ApiObject> = 'Name' | 'Age' | (string & {}) | Cell<O> | ColumnOf<O>;

/**
 * The definition of a kind. Its name is that of its schema; other omitted members get the most common values. Hooks get decoded objects, so
 * these have the kind's type.
 */
export interface KindDefinition<O extends ApiObject>
  extends Omit<Kind, Common | keyof KindHooks<O> | Judged>, Partial<Pick<Kind, Common>>, KindHooks<O> {
  /** Names as the validation of metadata has them; absent: subdomains. */
  readonly validateName?: NameRule;
  /** Finalizers without a prefix need not be standard ones: those are a rule of the core group. */
  readonly anyFinalizers?: true;
  /** The validation of new objects, in upstream's order; `validate` in its place is a single function. */
  readonly create?: readonly Check<O>[];
  readonly update?: readonly Check<O, [old: O]>[];
  readonly updateStatus?: readonly Check<O, [old: O]>[];
  validate?(object: O, context: KindContext): readonly FieldError[];
  validateUpdate?(object: O, old: O, context: KindContext): readonly FieldError[];
  readonly specification?: readonly RuleOf<O>[];
  /** The columns in order. A text is the path of a field with a column; those of unnamed fields stand before the age. */
  readonly columns?: readonly Shown<O>[];
}

export interface KindOf<O extends ApiObject> extends Kind {
  /** Never present at runtime: it only has the type. */
  readonly objects?: O;
}

/** Returns a kind, with the most common values for omitted members. */
export function defineKind<O extends ApiObject>(definition: KindDefinition<O>): KindOf<O> {
  const { create, update, updateStatus, validateName, anyFinalizers, columns = ['Name', 'Age'], specification, ...given } = definition;
  const kind = given.kind ?? given.schema.go;
  const gated = gatedHooks(given.schema);
  return {
    kind,
    plural: `${kind.toLowerCase()}s`,
    singular: kind.toLowerCase(),
    shortNames: [],
    categories: [],
    groupPrefix: '',
    version: 'v1',
    namespaced: true,
    subresources: [],
    generation: 'none',
    allowCreateOnUpdate: false,
    allowUnconditionalUpdate: true,
    deleteReturns: 'Status',
    defaultPropagation: 'Background',
    validate: validation(definition, create ?? ['metadata']),
    validateUpdate: updateOf(definition, update ?? ['changed metadata']),
    ...(updateStatus === undefined ? {} : { validateStatusUpdate: updateOf(definition, updateStatus) }),
    ...given,
    ...(gated.create === undefined ? {} : { prepareForCreate: [gated.create, ...listOf(given.prepareForCreate)] }),
    ...(gated.update === undefined ? {} : { prepareForUpdate: [gated.update, ...listOf(given.prepareForUpdate)] }),
    ...(gated.updateStatus === undefined ? {} : { prepareForStatusUpdate: [gated.updateStatus, ...listOf(given.prepareForStatusUpdate)] }),
    columns: columnsOf(given.schema, columns),
    ...(specification === undefined ? {} : { specification: specification.map((rule) => ruleOf(kind, rule)) }),
  };
}

const listOf = <T extends object>(hooks: T | readonly T[] | undefined): readonly T[] =>
  hooks === undefined ? [] : Array.isArray(hooks) ? hooks : [hooks as T];

type Step<O> = (object: O, context: KindContext, old: O) => readonly FieldError[];

/** Returns the function of a step; the path of a member is compiled once. */
function stepOf<O extends ApiObject>(definition: KindDefinition<O>, check: Check<O, [old: O]>, named: readonly string[]): Step<O> {
  if (typeof check === 'function') return check;
  if (typeof check !== 'string') return check[1];
  const { namespaced = true, schema, validateName = subdomainName, anyFinalizers } = definition;
  switch (check) {
    case 'metadata':
    case 'metadata if valid':
      return (object, context) => validateMeta(object, namespaced, validateName, context, anyFinalizers !== true);
    case 'changed metadata':
      return (object, context, old) => validateMetaUpdate(object, old, context, anyFinalizers !== true);
    case 'fixed':
      return (object, _, old) => fixedErrors(schema, object, old);
    default:
      return memberErrors(
        schema,
        check,
        named.flatMap((path) => (path.startsWith(`${check}.`) ? [path.slice(check.length + 1)] : [])),
      );
  }
}

const updateOf = <O extends ApiObject>(definition: KindDefinition<O>, checks: readonly Check<O, [old: O]>[]) => {
  const named = checks.flatMap((check) => (typeof check === 'function' ? [] : [typeof check === 'string' ? check : check[0]]));
  const steps = checks.map((check) => stepOf(definition, check, named));
  return (object: O, old: O, context: KindContext): readonly FieldError[] => {
    const errors: FieldError[] = [];
    for (const [at, step] of steps.entries())
      if (errors.length === 0 || checks[at] !== 'metadata if valid') append(errors, step(object, context, old));
    return errors;
  };
};

const validation = <O extends ApiObject>(definition: KindDefinition<O>, checks: readonly Check<O>[]) => {
  const run = updateOf(definition, checks);
  return (object: O, context: KindContext): readonly FieldError[] => run(object, object, context);
};

function columnsOf<O extends ApiObject>(schema: ObjectShape, columns: readonly Shown<O>[]): readonly ColumnOf<O>[] {
  const ofFields = fieldColumns(schema);
  const unnamed = [...ofFields].flatMap(([path, column]) => (columns.includes(path) ? [] : [column]));
  return columns.flatMap((column): readonly ColumnOf<O>[] => {
    if (column === 'Age') return [...unnamed, ageColumn];
    if (column === 'Name') return [nameColumn];
    if (typeof column === 'string') {
      const found = ofFields.get(column);
      if (found === undefined) throw new Error(`${schema.go}: ${column} has no column`);
      return [found];
    }
    if (!isCell(column)) return [column];
    const [name, type, description, cell, priority] = column;
    return [{ name, type, description, priority: priority === undefined ? 0 : 1, cell }];
  });
}

const isCell = <O extends ApiObject>(column: Cell<O> | ColumnOf<O>): column is Cell<O> => Array.isArray(column);

/** Members of objects to which a rule may be limited. */
const MEMBERS: ReadonlySet<string> = new Set(['metadata', 'spec', 'status', 'rules', 'subsets', 'endpoints', 'ports']);

/** Returns a rule with what follows from its kind and field. */
function ruleOf<O extends ApiObject>(kind: string, { place, ofDocument, ...rule }: RuleOf<O>): Rule<O> {
  const [member = ''] = rule.field.split(/[.[]/, 1);
  const isOfMember = ofDocument !== true && 'check' in rule && MEMBERS.has(member);
  return {
    kind,
    ...rule,
    place: place?.startsWith('resource-api.md') === true ? place : `resource-api.md: ${kind}, ${place ?? rule.field.split('[]', 1)[0]}`,
    ...(isOfMember ? { member } : {}),
  } as Rule<O>;
}
