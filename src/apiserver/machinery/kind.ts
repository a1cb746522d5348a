/**
 * The contract of a kind: the members that a kind defines, which the server, the command line and the documentation read; among them the
 * rules of the specification that the recorded server does not enforce, with their two modes. The server applies these after the kind's own
 * validation. Models: registry/…/strategy.go of each kind.
 */
import type { ApiObject, Domain, FieldError, KindContext, ObjectInput, RulesMode } from '../objects/index.ts';
import type { Schema } from '../../schema/shape/index.ts';
import type { CreateHooks, UpdateHooks } from './hooks.ts';

export interface Column {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'date' | 'boolean';
  readonly format?: string;
  readonly description?: string;
  /** 0 is always shown, 1 only in wide output. */
  readonly priority: number;
  /** Returns the cell of an object, as the server-side table prints it. */
  cell(object: ApiObject, context: KindContext): unknown;
}

export interface ColumnOf<O extends ApiObject> extends Omit<Column, 'cell'> {
  cell(object: O, context: KindContext): unknown;
}

/** Returns the value of a field for field selectors. It is a method type, so that a kind may declare it for its own object type. */
export type FieldValue<O> = { value(object: O): string | undefined }['value'];

/**
 * How objects of one template are recognised, and in which members each may differ. All other members are defaulted, admitted and validated
 * once for the template.
 */
export interface TemplateRules {
  /**
   * Returns the part of the specification that all objects of a template share by reference; undefined: the object has no cacheable
   * template.
   */
  templateKey(spec: Readonly<Record<string, unknown>>): object | undefined;
  /** The members of the specification in which each object may differ. */
  readonly individual: readonly string[];
  /** Whether annotations have no effect on rules: some kinds give a meaning to some of them. */
  areInert(annotations: Readonly<Record<string, string>>): boolean;
  /**
   * Returns the decoded value of such a member, if it is valid and does not affect the rules of the template; undefined where the full path
   * is needed. `first`: the value sent with the first object of the template; `made`: its stored value.
   */
  accepted(member: string, value: unknown, first: unknown, made: unknown): unknown;
  /** Returns the errors in the metadata of an object. */
  validate(object: ApiObject, context: KindContext): readonly FieldError[];
}

/** Returns a stored object; undefined: there is none. `values` has all objects of a kind. */
export interface Lookup {
  (kind: string, namespace: string | undefined, name: string): ApiObject | undefined;
  values(kind: string): Iterable<ApiObject>;
}

/** The paths of the fields that a Scale shows. */
export interface ScalePaths {
  readonly spec: readonly string[];
  readonly status: readonly string[];
  /** The path of the selector, a text; absent: the Scale has no selector. */
  readonly selector?: readonly string[];
}

export interface KindHooks<O extends ApiObject> {
  /** Sets defaults that depend on more than the object's own fields (uid, other metadata), after those of the schema. */
  readonly applyDefaults?: CreateHooks<O>;
  /** Drops members that a creator may not set: status, gated fields. */
  readonly prepareForCreate?: CreateHooks<O>;
  /** Restores members that a writer of the main resource may not change; `old` is the stored object. */
  readonly prepareForUpdate?: UpdateHooks<O>;
  /**
   * The same for the status sub-resource; by default everything but the status (and labels, annotations, finalizers, owner references) is
   * restored from `old`.
   */
  readonly prepareForStatusUpdate?: UpdateHooks<O>;
  validateStatusUpdate?(object: O, old: O, context: KindContext): readonly FieldError[];
  /**
   * Replaces `validate` and `validateUpdate` for clients that use another version of the kind (`events/v1`: group prefix and version),
   * where its rules differ.
   */
  validateIn?(version: string, object: O, old: O | undefined, context: KindContext): readonly FieldError[];
  /**
   * Returns the object after a follow-up write of the server itself, right after a write; the same object if none is needed. `lookup`
   * returns other stored objects. /
   */
  settle?(object: O, lookup: Lookup, context: KindContext): O;
  /** Returns the `Warning:` texts of a write. */
  warnings?(object: O, old: O | undefined, context: KindContext): readonly string[];
  /** The supported field selectors besides metadata.name and metadata.namespace. */
  readonly fieldSelectors?: Readonly<Record<string, FieldValue<O>>>;
}

export const RULES_MODES: readonly RulesMode[] = ['specification', 'recorded'];

/**
 * The neutral domain uses the rules of the specification. The other domain uses those of the recordings, because its manifests were
 * accepted by the real server.
 */
export const rulesFor = (domain: Domain): RulesMode => (domain === 'orch.io' ? 'specification' : 'recorded');

/** Returns the mode of a server or process: the configured one, or the default of its domain. */
export const rulesOf = ({ rules, names }: Pick<KindContext, 'rules' | 'names'>): RulesMode => rules ?? rulesFor(names.domain);

/** The input of a rule besides the object. */
export interface RuleFacts<O extends ApiObject = ApiObject> extends KindContext {
  /** The stored object; undefined: the object is new. */
  readonly old: O | undefined;
  /** The document of the client before any defaults; undefined where there is none. */
  readonly sent: unknown;
  /** `status` for a status update. */
  readonly subresource: string | undefined;
  /** Returns another object as it is stored now; undefined: there is none. */
  find(kind: string, namespace: string | undefined, name: string): ApiObject | undefined;
}

export interface RuleText {
  /** The unique name: `stateful-set/claims-are-mounted`. */
  readonly name: string;
  readonly kind: string;
  readonly field: string;
  /** The statement, in our words. */
  readonly statement: string;
  /** The file and section in the specification. */
  readonly place: string;
  /** The behavior of v1.24. */
  readonly recorded: string;
}

/** A rule that the server applies to writes. */
export interface WriteRule<O extends ApiObject = ApiObject> extends RuleText {
  /**
   * The member that the rule is about: it applies only where this member is new or has changed. Absent: it applies to the document as sent.
   */
  readonly member?: 'metadata' | 'spec' | 'status' | 'rules' | 'subsets' | 'endpoints' | 'ports';
  /** The rule reads the member as sent: an omitted value may be filled in from the stored object, without a change. */
  readonly asSent?: true;
  check(object: O, facts: RuleFacts<O>): readonly FieldError[];
}

/** A rule about the behavior of a process: nothing is refused, and the process itself reads the mode. */
export interface BehaviorRule extends RuleText {
  /** The behavior in the mode `specification`. */
  readonly does: string;
}

export type Rule<O extends ApiObject = ApiObject> = WriteRule<O> | BehaviorRule;

/**
 * A rule as a kind declares it. The kind and the member are those of the field; the place begins with the section of the kind and is, unless
 * given, the field there.
 */
export type RuleOf<O extends ApiObject> = Omit<RuleText, 'kind' | 'place'> & {
  readonly place?: string;
  /** The rule is about the document as sent, whether or not the member has changed. */
  readonly ofDocument?: true;
} & (Pick<WriteRule<O>, 'asSent' | 'check'> | Pick<BehaviorRule, 'does'>);

/** Whether a rule is checked at writes; the other rules are about behavior. */
export const isWriteRule = (rule: Rule): rule is WriteRule => 'check' in rule;

/** Returns the warning of a write that violates a rule which is not enforced. */
export const ruleWarning = ({ name }: RuleText, field: string, what: string): string => `rule ${name}: ${field}: ${what}`;

/** Whether a warning is about such a rule; no recorded server has such warnings. */
export const isRuleWarning = (text: string): boolean => /^rule [\w-]+\/[\w-]+: /.test(text);

/** The definition of a kind: names, schema, columns, defaults and rules. It is made by `defineKind`, and found with `kindsFor`. */
export interface Kind extends KindHooks<ApiObject> {
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  /** The group without the domain: '' (core), `batch`, `coordination` … */
  readonly groupPrefix: string;
  readonly version: string;
  readonly namespaced: boolean;
  readonly schema: Schema & { readonly type: 'object' };
  /** Sub-resources with their own read and write: `status`, `scale`, `binding`, `eviction` … */
  readonly subresources: readonly string[];
  /**
   * Marks a custom resource, whose objects the server keeps as maps: list items name their type, and strategic merge patches are refused
   * because there are no merge keys.
   */
  readonly unstructured?: true;
  /** The versions of a custom resource that are served, the preferred first; absent: only its own is. */
  readonly versions?: ReadonlyMap<string, Kind>;
  /** Of another version of a custom resource: the kind in the version that is stored. */
  readonly stored?: Kind;
  /** The name that clients see, where another kind has it in the registry. */
  readonly shownAs?: string;
  /** Absent: the name with List. */
  readonly listKind?: string;
  /** The warning of every answer; absent: the version is not deprecated. */
  readonly deprecation?: string;
  /** The CustomResourceDefinition that it is made from; absent: it is built in, or defined in TypeScript. */
  readonly definition?: ObjectInput;
  /** For custom resources; absent: replicas and selector have the paths of built-in kinds. */
  readonly scale?: ScalePaths;
  /**
   * The changes that increment `metadata.generation`: any change outside metadata and status; the same or a change of annotations; the same
   * or a change of the status; or none.
   */
  readonly generation: 'spec' | 'specAndAnnotations' | 'specAndStatus' | 'none';
  readonly allowCreateOnUpdate: boolean;
  readonly allowUnconditionalUpdate: boolean;
  readonly deleteReturns: 'Status' | 'object';
  /** The default propagation policy of a DELETE. */
  readonly defaultPropagation: 'Background' | 'Orphan';
  /** The group in `Invalid` errors where it differs (Ingress: `extensions`). */
  readonly invalidGroup?: string;
  /** How objects made from templates are recognised; absent: each object is handled individually. */
  readonly templateRules?: TemplateRules;
  /** Returns all errors of a creation, metadata included, in upstream's order. */
  validate(object: ApiObject, context: KindContext): readonly FieldError[];
  /** Returns all errors of an update: those of `validate` (where upstream runs it) and changes of immutable members. */
  validateUpdate(object: ApiObject, old: ApiObject, context: KindContext): readonly FieldError[];
  /** The rules of the specification that v1.24 does not have, each with its place. */
  readonly specification?: readonly Rule[];
  /** A missing object is reported as a missing scale. */
  readonly missingScale?: true;
  /**
   * Returns why an object cannot be read although it fits the schema, such as an invalid annotation that replaces a field of an older
   * version.
   */
  unreadable?(object: ApiObject): string | undefined;
  /** Returns the error for an unknown field selector; a few kinds have texts of their own. */
  readonly fieldSelectorError?: (label: string, kind: string) => string;
  readonly columns: readonly Column[];
  /** The modelled, simplified and omitted parts, with the upstream path: `orchsim kinds` prints it. */
  readonly models: string;
}
