/**
 * A custom kind in TypeScript: it needs a schema and a name, everything else has the defaults of custom resources. Models: v1.24
 * apiextensions-apiserver pkg/registry/customresource strategy.go, status_strategy.go, validator.go.
 */
import { assign, defineKind, keepAllButStatus, keepStatus, subdomainName, validateMeta, validateMetaUpdate } from '../machinery/index.ts';
import type { ApiObject, FieldError, KindContext, KindDefinition, KindOf } from '../machinery/index.ts';

/** The rule that a finalizer without a prefix must be a standard one is part of pkg/apis/core, which does not apply to custom resources. */
const CORE_FINALIZERS = false;

/** The definition of a custom kind: its names, group, schema and validation. Everything else has defaults (see `defineCustomKind`). */
export interface CustomKindDefinition<O extends ApiObject>
  extends
    Omit<KindDefinition<O>, 'models' | 'kind' | 'groupPrefix' | 'validate' | 'validateUpdate'>,
    Partial<Pick<KindDefinition<O>, 'models'>> {
  readonly kind: string;
  /** The whole group, such as `example.com`; it is the same in both domains. */
  readonly group: string;
  /** Returns the errors of an object besides those of its metadata; absent: none. `old`: the stored object that it replaces. */
  validate?(object: O, context: KindContext, old?: O): readonly FieldError[];
  /** Returns the further errors of an update; absent: none. */
  validateUpdate?(object: O, old: O, context: KindContext): readonly FieldError[];
}

/**
 * Defines a custom kind. Defaults: version v1, a plural with -s, namespaced, a status sub-resource if the schema has a status.
 *
 * ```ts
 * const widget = defineCustomKind<Widget>({ kind: 'Widget', group: 'example.com', schema: obj('Widget', { ...typeMeta, spec: widgetSpec }) });
 * ```
 */
export function defineCustomKind<O extends ApiObject>(definition: CustomKindDefinition<O>): KindOf<O> {
  const { group, validate, validateUpdate, ...given } = definition;
  const { kind, namespaced = true, version = 'v1' } = given;
  const hasStatus = 'status' in given.schema.fields;
  const { subresources = hasStatus ? ['status'] : [] } = given;
  const own = (object: O, context: KindContext, old?: O): readonly FieldError[] => validate?.(object, context, old) ?? [];
  const change = (object: O, old: O, context: KindContext): readonly FieldError[] => [
    ...validateMetaUpdate(object, old, context, CORE_FINALIZERS),
    ...own(object, context, old),
    ...(validateUpdate?.(object, old, context) ?? []),
  ];
  return defineKind<O>({
    generation: subresources.includes('status') ? 'spec' : 'specAndStatus',
    allowUnconditionalUpdate: false,
    unstructured: true,
    fieldSelectorError: (label) => `field label not supported: ${label}`,
    deleteReturns: 'Status',
    models: `Custom kind: ${kind} in ${group}/${version}.`,
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
    subresources,
    // The dot marks an absolute group name, which gets no domain.
    groupPrefix: `${group}.`,
    validate: (object, context) => [...validateMeta(object, namespaced, subdomainName, context, CORE_FINALIZERS), ...own(object, context)],
    validateUpdate: change,
  });
}
