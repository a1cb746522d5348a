/**
 * A kind of one's own, in TypeScript: a shape and a name are enough, the rest has the values that custom resources have. Models: v1.24
 * apiextensions-apiserver pkg/registry/customresource strategy.go, status_strategy.go, validator.go.
 */
import {
  type ApiObject,
  assign,
  defineKind,
  type FieldError,
  type KindContext,
  type KindDefinition,
  type KindOf,
  keepAllButStatus,
  keepStatus,
  subdomainName,
  validateMeta,
  validateMetaUpdate,
} from '../machinery/index.ts';

/** That a finalizer without a prefix is one of the system's is a rule of pkg/apis/core, which custom resources never meet. */
const CORE_FINALIZERS = false;

type Optional = 'example' | 'models' | 'plural' | 'namespaced' | 'version';

/** What one says of a kind of one's own: its names, group and schema, and what is valid; the rest has defaults (see `defineOwnKind`). */
export interface OwnKindDefinition<O extends ApiObject>
  extends Omit<KindDefinition<O>, Optional | 'groupPrefix' | 'validate' | 'validateUpdate'>, Partial<Pick<KindDefinition<O>, Optional>> {
  /** The whole group, `example.com`; the same in both domains. */
  readonly group: string;
  /** What is wrong with an object besides its metadata; absent: nothing. */
  validate?(object: O, context: KindContext): readonly FieldError[];
  /** What of a change is wrong besides that; absent: nothing. */
  validateUpdate?(object: O, old: O, context: KindContext): readonly FieldError[];
}

/**
 * A kind of one's own. What it leaves out: version v1, a plural with -s, in a namespace, a status sub-resource where the shape has a
 * status.
 *
 * ```ts
 * const widget = defineOwnKind<Widget>({ kind: 'Widget', group: 'example.com', schema: obj('Widget', { ...typeMeta, spec: widgetSpec }) });
 * ```
 */
export function defineOwnKind<O extends ApiObject>(definition: OwnKindDefinition<O>): KindOf<O> {
  const { group, validate, validateUpdate, ...given } = definition;
  const { kind, namespaced = true, version = 'v1', plural = `${kind.toLowerCase()}s` } = given;
  const hasStatus = 'status' in given.schema.fields;
  const { subresources = hasStatus ? ['status'] : [] } = given;
  const own = (object: O, context: KindContext): readonly FieldError[] => validate?.(object, context) ?? [];
  const change = (object: O, old: O, context: KindContext): readonly FieldError[] => [
    ...validateMetaUpdate(object, old, context, 'metadata', CORE_FINALIZERS),
    ...own(object, context),
    ...(validateUpdate?.(object, old, context) ?? []),
  ];
  return defineKind<O>({
    generation: subresources.includes('status') ? 'spec' : 'specAndStatus',
    allowUnconditionalUpdate: false,
    unstructured: true,
    fieldSelectorError: (label) => `field label not supported: ${label}`,
    deleteReturns: 'Status',
    validateName: subdomainName,
    example: { fields: () => ({}) },
    models: `Of your own: ${kind} in ${group}/${version}.`,
    ...(subresources.includes('status')
      ? {
          prepareForCreate: (draft) => {
            assign(draft as { status?: unknown }, 'status', undefined);
          },
          prepareForUpdate: (draft, old) => {
            keepStatus(draft, old);
          },
          prepareForStatusUpdate: keepAllButStatus,
          validateStatusUpdate: change,
        }
      : {}),
    ...given,
    plural,
    namespaced,
    version,
    subresources,
    // The dot of an absolute name: it is in no domain of ours.
    groupPrefix: `${group}.`,
    validate: (object, context) => [
      ...validateMeta(object, namespaced, subdomainName, context, 'metadata', CORE_FINALIZERS),
      ...own(object, context),
    ],
    validateUpdate: change,
  });
}
