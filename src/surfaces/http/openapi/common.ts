/** Definitions that no kind's shape contains: values, lists, statuses, delete options; and the structs that have their own package. */

export interface Definition {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, Definition>>;
  readonly required?: readonly string[];
  readonly items?: Definition;
  readonly additionalProperties?: Definition;
  readonly oneOf?: readonly Definition[];
  readonly [mark: `x-${string}`]: unknown;
}

export interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

export const META = 'apimachinery.pkg.apis.meta.v1';
export const META_STRUCTS: ReadonlySet<string> = new Set([
  'ObjectMeta',
  'OwnerReference',
  'ManagedFieldsEntry',
  'LabelSelector',
  'LabelSelectorRequirement',
  'ListMeta',
  'Condition',
  'Status',
  'StatusCause',
  'StatusDetails',
  'DeleteOptions',
  'Preconditions',
  'Time',
  'MicroTime',
  'FieldsV1',
  'Duration',
]);
/** Core structs that no modelled core kind uses. */
export const CORE_STRUCTS: ReadonlySet<string> = new Set(['PodTemplateSpec', 'TopologySelectorTerm', 'TopologySelectorLabelRequirement']);
export const VALUES: Readonly<Record<string, { readonly name: string; readonly definition: Definition }>> = {
  time: { name: `${META}.Time`, definition: { type: 'string', format: 'date-time' } },
  microTime: { name: `${META}.MicroTime`, definition: { type: 'string', format: 'date-time' } },
  duration: { name: `${META}.Duration`, definition: { type: 'string' } },
  quantity: { name: 'apimachinery.pkg.api.resource.Quantity', definition: { type: 'string' } },
  intOrString: { name: 'apimachinery.pkg.util.intstr.IntOrString', definition: { type: 'string', format: 'int-or-string' } },
  any: { name: 'apimachinery.pkg.runtime.RawExtension', definition: { type: 'object' } },
};
/** Values that are strings in version 2, and have several types in version 3. Models: apimachinery OpenAPIV3OneOfTypes. */
export const ONE_OF_3: Readonly<Record<string, readonly string[]>> = {
  'resource.Quantity': ['string', 'number'],
  'intstr.IntOrString': ['integer', 'string'],
};
const STRING: Definition = { type: 'string' };
const integer = (format: 'int32' | 'int64'): Definition => ({ type: 'integer', format });
const listOf = (items: Definition): Definition => ({ type: 'array', items });
/** Returns the definitions that every document has besides its kinds. `groups`: those with deletable objects. */
export function commonDefinitions(
  refer: (name: string) => Definition,
  groups: readonly { readonly group: string; readonly version: string }[],
): Readonly<Record<string, Definition>> {
  const object = (properties: Readonly<Record<string, Definition>>): Definition => ({ type: 'object', properties });
  return {
    ListMeta: object({ continue: STRING, remainingItemCount: integer('int64'), resourceVersion: STRING, selfLink: STRING }),
    Preconditions: object({ resourceVersion: STRING, uid: STRING }),
    StatusCause: object({ field: STRING, message: STRING, reason: STRING }),
    StatusDetails: object({
      causes: listOf(refer('StatusCause')),
      group: STRING,
      kind: STRING,
      name: STRING,
      retryAfterSeconds: integer('int32'),
      uid: STRING,
    }),
    Status: {
      type: 'object',
      'x-kubernetes-group-version-kind': [{ group: '', kind: 'Status', version: 'v1' }],
      properties: {
        apiVersion: STRING,
        code: integer('int32'),
        details: refer('StatusDetails'),
        kind: STRING,
        message: STRING,
        metadata: refer('ListMeta'),
        reason: STRING,
        status: STRING,
      },
    },
    DeleteOptions: {
      type: 'object',
      'x-kubernetes-group-version-kind': groups.map(({ group, version }) => ({ group, kind: 'DeleteOptions', version })),
      properties: {
        apiVersion: STRING,
        dryRun: listOf(STRING),
        gracePeriodSeconds: integer('int64'),
        kind: STRING,
        orphanDependents: { type: 'boolean' },
        preconditions: refer('Preconditions'),
        propagationPolicy: STRING,
      },
    },
  };
}

export const listDefinition = (item: Definition, metadata: Definition, gvk: GroupVersionKind): Definition => ({
  type: 'object',
  properties: { apiVersion: STRING, items: listOf(item), kind: STRING, metadata },
  required: ['items'],
  'x-kubernetes-group-version-kind': [gvk],
});
