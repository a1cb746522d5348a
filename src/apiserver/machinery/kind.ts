/**
 * The contract of a kind: what one kind file gives, and all that the server, the command line and the documentation read of it. Models:
 * registry/…/strategy.go of each kind.
 */
import type { KindContext } from './context.ts';
import type { Draft } from './draft.ts';
import type { ApiObject } from './object.ts';
import type { Schema } from '../../schema/shape/index.ts';
import type { Example } from './example.ts';
import type { Rule } from './rules.ts';
import type { FieldError } from './status.ts';

export type { FeatureGates, KindContext } from './context.ts';

export interface Column {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'date' | 'boolean';
  readonly format?: string;
  readonly description?: string;
  /** 0 is always shown, 1 only in wide output. */
  readonly priority: number;
  /** The cell for an object, as the server-side table prints it. */
  cell(object: ApiObject, context: KindContext): unknown;
}

/** The value of a field that selectors may ask for. A method's type, so that a kind may write it for its own objects. */
export type FieldValue<O> = { value(object: O): string }['value'];

/**
 * How objects made of one template are recognised, and what each of them may have of its own: "this template, these differences".
 * Everything else is defaulted, admitted and judged once for all of them.
 */
export interface TemplateRules {
  /** The part of the specification that all of a family share by reference; undefined where an object belongs to none. */
  handle(spec: Readonly<Record<string, unknown>>): object | undefined;
  /** Members of the specification that each may have of its own. */
  readonly own: readonly string[];
  /** Whether annotations are only that: some kinds' rules read more into some of them. */
  areSilent(annotations: Readonly<Record<string, string>>): boolean;
  /**
   * What an object has of its own in such a member, decoded, if it is in order and leaves alone what the family was judged by; undefined
   * where the object has to go the long way. `first`: what the first of the family sent, `made`: what became of it.
   */
  accepted(member: string, value: unknown, first: unknown, made: unknown): unknown;
  /** What is wrong with the metadata of one of them. */
  judge(object: ApiObject, context: KindContext): readonly FieldError[];
}

/** A stored object, if there is one. */
export type Look = (kind: string, namespace: string | undefined, name: string) => ApiObject | undefined;

/** Where an object keeps what its scale shows, as names. */
export interface ScalePaths {
  readonly spec: readonly string[];
  readonly status: readonly string[];
  /** A text; absent: the scale tells no selector. */
  readonly selector?: readonly string[];
}

/** All that is particular to a kind: its names, schema, columns, defaults and rules. Made by `defineOwnKind`, and found with `kindsFor`. */
export interface Kind {
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  /** Group without the domain: '' (core), `batch`, `coordination` … */
  readonly groupPrefix: string;
  readonly version: string;
  readonly namespaced: boolean;
  readonly schema: Schema & { readonly type: 'object' };
  /** Sub-resources with their own read and write: `status`, `scale`, `binding`, `eviction` … */
  readonly subresources: readonly string[];
  /**
   * Of a custom resource, whose objects the server keeps as maps: items of lists name their type, and strategic merge patches are refused,
   * since nobody knows merge keys.
   */
  readonly unstructured?: true;
  /** Of custom resources; absent: replicas and a selector stand where built-in kinds have them. */
  readonly scale?: ScalePaths;
  /** What bumps `metadata.generation`: any change outside metadata and status, that or one of the annotations, that or one of the status, or nothing. */
  readonly generation: 'spec' | 'specAndAnnotations' | 'specAndStatus' | 'none';
  readonly allowCreateOnUpdate: boolean;
  readonly allowUnconditionalUpdate: boolean;
  readonly deleteReturns: 'Status' | 'object';
  /** What a DELETE without a policy means. */
  readonly defaultPropagation: 'Background' | 'Orphan';
  /** The group that `Invalid` errors name where it differs (Ingress: `extensions`). */
  readonly invalidGroup?: string;
  /** Server-side defaults that need more than the object's own fields say (uid, other metadata), after those of the schema. */
  applyDefaults?(draft: Draft, context: KindContext): void;
  /** Drops what a creator may not set: status, gated fields. */
  prepareForCreate?(draft: Draft, context: KindContext): void;
  /** Keeps what a writer of the main resource may not change; `old` is the stored object. */
  prepareForUpdate?(draft: Draft, old: ApiObject, context: KindContext): void;
  /**
   * The same for the status sub-resource; default: everything but status (and labels, annotations, finalizers, owner references) comes from
   * `old`.
   */
  prepareForStatusUpdate?(draft: Draft, old: ApiObject, context: KindContext): void;
  /**
   * Whether defaults and the two hooks above would leave an object of an update as it is, but for the part that is the other writer's;
   * absent: only hooks that do nothing but keep that part do.
   */
  leaves?(object: ApiObject): boolean;
  /** Objects of it that are made of templates; absent: each is looked at by itself. */
  readonly family?: TemplateRules;
  validateName?(name: string, prefix: boolean): readonly string[];
  /** Everything a create is refused for, metadata included, in upstream's order. */
  validate(object: ApiObject, context: KindContext): readonly FieldError[];
  /** The same for a replace: what `validate` finds (where upstream runs it) and what may not change. */
  validateUpdate(object: ApiObject, old: ApiObject, context: KindContext): readonly FieldError[];
  validateStatusUpdate?(object: ApiObject, old: ApiObject, context: KindContext): readonly FieldError[];
  /**
   * The rules for clients that speak another version of it (`events/v1`: group prefix and version), where they are others; in place of
   * `validate` and `validateUpdate`.
   */
  validateIn?(version: string, object: ApiObject, old: ApiObject | undefined, context: KindContext): readonly FieldError[];
  /**
   * What the server itself makes of an object right behind a write of it, as a write of its own; the very object where nothing. `look`
   * finds what else is stored.
   */
  settle?(object: ApiObject, look: Look, context: KindContext): ApiObject;
  /** What the specification asks for beyond that, each rule with its place. */
  readonly specification?: readonly Rule[];
  /** Where there is no object, it is its scale that is reported missing. */
  readonly missingScale?: true;
  /** Why a body of the right shape cannot be read all the same: an annotation that stands for a field of an older version, say. */
  unreadable?(object: ApiObject): string | undefined;
  /** `Warning:` texts for a write. */
  warnings?(object: ApiObject, old: ApiObject | undefined, context: KindContext): readonly string[];
  /** Values of the field selectors beyond metadata.name and metadata.namespace. */
  readonly fieldSelectors?: Readonly<Record<string, FieldValue<ApiObject>>>;
  /** How an unknown field selector is refused: a few kinds have words of their own. */
  readonly fieldSelectorError?: (label: string, kind: string) => string;
  readonly columns: readonly Column[];
  /** A valid object: for tests, for documentation. */
  readonly example: Example;
  /** What is modelled, simplified, omitted, with the upstream path: shown by `orchsim kinds`. */
  readonly models: string;
}
