/** Every struct of every kind as a published definition, named by its Go package: what documents of both versions are made of. Models: v1.24 api/openapi-spec, kube-openapi pkg/common. */
import { fieldText, fieldValues, type KindRegistry, structText } from '../../../apiserver/kinds/index.ts';
import { compareText } from '../../../grammar/values/index.ts';
import type { Kind } from '../../../apiserver/vocabulary/index.ts';
import type { ObjectShape, Schema } from '../../../grammar/schema/index.ts';

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

export interface DefinitionBook {
  readonly definitions: Readonly<Record<string, Definition>>;
  /** The definition of a kind, and of its list. */
  nameOf(kind: Kind): string;
  listNameOf(kind: Kind): string;
  readonly status: string;
  readonly deleteOptions: string;
}

const META = 'apimachinery.pkg.apis.meta.v1';
const META_STRUCTS: ReadonlySet<string> = new Set([
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
/** Core structs that no core kind of ours holds. */
const CORE_STRUCTS: ReadonlySet<string> = new Set(['PodTemplateSpec', 'TopologySelectorTerm', 'TopologySelectorLabelRequirement']);
/** Values that are published as definitions of their own. */
const VALUES: Readonly<Record<string, { readonly name: string; readonly definition: Definition }>> = {
  time: { name: `${META}.Time`, definition: { type: 'string', format: 'date-time' } },
  microTime: { name: `${META}.MicroTime`, definition: { type: 'string', format: 'date-time' } },
  duration: { name: `${META}.Duration`, definition: { type: 'string' } },
  quantity: { name: 'apimachinery.pkg.api.resource.Quantity', definition: { type: 'string' } },
  intOrString: { name: 'apimachinery.pkg.util.intstr.IntOrString', definition: { type: 'string', format: 'int-or-string' } },
  any: { name: 'apimachinery.pkg.runtime.RawExtension', definition: { type: 'object' } },
};
/** What version 2 can only call a string, version 3 says in full. Models: apimachinery OpenAPIV3OneOfTypes. */
export const ONE_OF_3: Readonly<Record<string, readonly string[]>> = {
  'resource.Quantity': ['string', 'number'],
  'intstr.IntOrString': ['integer', 'string'],
};
const PLAIN = (type: string, format?: string): Definition => ({ type, ...(format === undefined ? {} : { format }) });
/** Definitions that no kind's shape holds. */
const COMMON: Readonly<Record<string, Definition>> = {
  ListMeta: {
    type: 'object',
    properties: {
      continue: PLAIN('string'),
      remainingItemCount: PLAIN('integer', 'int64'),
      resourceVersion: PLAIN('string'),
      selfLink: PLAIN('string'),
    },
  },
  StatusCause: { type: 'object', properties: { field: PLAIN('string'), message: PLAIN('string'), reason: PLAIN('string') } },
  Preconditions: { type: 'object', properties: { resourceVersion: PLAIN('string'), uid: PLAIN('string') } },
};

/** The definitions of a registry; `prefix` begins every reference to one. */
export function definitionsOf(kinds: KindRegistry, prefix: string): DefinitionBook {
  const root = kinds.names.domain.split('.').reverse().join('.');
  const made = new Map<string, Definition>();
  const places = new Map<string, string>();
  const meta = (name: string): string => `${root}.${META}.${name}`;
  const refer = (name: string): Definition => ({ $ref: `${prefix}${name}` });
  const packageOf = ({ groupPrefix, version }: Kind): string =>
    groupPrefix === 'apiregistration'
      ? `kube-aggregator.pkg.apis.apiregistration.${version}`
      : `api.${groupPrefix === '' ? 'core' : (groupPrefix.split('.')[0] ?? '')}.${version}`;
  const nameOf = (kind: Kind): string => `${root}.${packageOf(kind)}.${kind.kind}`;
  const gvkOf = (kind: Kind, suffix = ''): GroupVersionKind => ({
    group: kinds.names.group(kind.groupPrefix),
    kind: `${kind.kind}${suffix}`,
    version: kind.version,
  });

  /** A struct of the core group is there whoever uses it; of two with one name each group has its own. */
  const placeOf = (shape: ObjectShape, kind: Kind): string => {
    if (META_STRUCTS.has(shape.go)) return meta(shape.go);
    if (CORE_STRUCTS.has(shape.go)) return `${root}.api.core.v1.${shape.go}`;
    const own = `${root}.${packageOf(kind)}.${shape.go}`;
    const core = places.get(shape.go);
    if (core === undefined) {
      places.set(shape.go, own);
      return own;
    }
    return sameFields(made.get(core), shape) ? core : own;
  };
  const write = (schema: Schema, kind: Kind): Definition => {
    switch (schema.type) {
      case 'object':
        return { ...refer(define(schema, kind)), ...marksOf(schema) };
      case 'list':
        return { type: 'array', items: write(schema.items, kind), ...marksOf(schema) };
      case 'map':
        return { type: 'object', additionalProperties: write(schema.values, kind), ...marksOf(schema) };
      case 'string':
        return { type: 'string' };
      case 'boolean':
        return { type: 'boolean' };
      case 'int32':
      case 'int64':
        return { type: 'integer', format: schema.type };
      case 'float64':
        return { type: 'number', format: 'double' };
      case 'bytes':
        return {
          type: 'string',
          format: 'byte',
          ...((schema as { readonly listType?: string }).listType === undefined
            ? {}
            : { 'x-kubernetes-list-type': (schema as { readonly listType?: string }).listType }),
        };
      default: {
        const value = VALUES[schema.type];
        if (value === undefined) throw new Error(`no definition of ${schema.type}`);
        const name = `${root}.${value.name}`;
        made.set(name, value.definition);
        return { ...refer(name) };
      }
    }
  };
  const define = (shape: ObjectShape, kind: Kind): string => {
    const name = placeOf(shape, kind);
    if (made.has(name)) return name;
    made.set(name, { type: 'object', 'x-fields': Object.keys(shape.fields) });
    const entries = Object.entries(shape.fields);
    const required = entries.filter(([, field]) => field.required === true).map(([key]) => key);
    made.set(name, {
      ...described(structText(shape.go)),
      type: 'object',
      properties: Object.fromEntries(
        entries.map(([key, field]) => [
          key,
          {
            ...described(fieldText(shape.go, key)),
            ...write(field, kind),
            ...closed(fieldValues(shape.go, key) ?? fieldValues(name.slice(`${root}.api.`.length), key)),
          },
        ]),
      ),
      ...(required.length === 0 ? {} : { required }),
      ...(shape.mapType === undefined ? {} : { 'x-kubernetes-map-type': shape.mapType }),
    });
    return name;
  };
  const defineKind = (kind: Kind): void => {
    const name = define(kind.schema, kind);
    made.set(name, { ...made.get(name), 'x-kubernetes-group-version-kind': [gvkOf(kind)] });
    made.set(`${name}List`, {
      type: 'object',
      properties: {
        apiVersion: PLAIN('string'),
        items: { type: 'array', items: refer(name) },
        kind: PLAIN('string'),
        metadata: refer(meta('ListMeta')),
      },
      required: ['items'],
      'x-kubernetes-group-version-kind': [gvkOf(kind, 'List')],
    });
  };

  // Core first: what several groups share is its.
  for (const kind of kinds.list()) if (kind.groupPrefix === '') defineKind(kind);
  for (const kind of kinds.list()) if (kind.groupPrefix !== '') defineKind(kind);
  for (const [name, definition] of Object.entries(COMMON)) made.set(meta(name), definition);
  const groups = [...new Set(kinds.list().map(({ groupPrefix, version }) => `${kinds.names.group(groupPrefix)}/${version}`))].map(
    (text) => {
      const at = text.lastIndexOf('/');
      return { group: text.slice(0, at), version: text.slice(at + 1) };
    },
  );
  made.set(meta('StatusDetails'), {
    type: 'object',
    properties: {
      causes: { type: 'array', items: refer(meta('StatusCause')) },
      group: PLAIN('string'),
      kind: PLAIN('string'),
      name: PLAIN('string'),
      retryAfterSeconds: PLAIN('integer', 'int32'),
      uid: PLAIN('string'),
    },
  });
  made.set(meta('Status'), {
    type: 'object',
    'x-kubernetes-group-version-kind': [{ group: '', kind: 'Status', version: 'v1' }],
    properties: {
      apiVersion: PLAIN('string'),
      code: PLAIN('integer', 'int32'),
      details: refer(meta('StatusDetails')),
      kind: PLAIN('string'),
      message: PLAIN('string'),
      metadata: refer(meta('ListMeta')),
      reason: PLAIN('string'),
      status: PLAIN('string'),
    },
  });
  made.set(meta('DeleteOptions'), {
    type: 'object',
    'x-kubernetes-group-version-kind': groups.map(({ group, version }) => ({ group, kind: 'DeleteOptions', version })),
    properties: {
      apiVersion: PLAIN('string'),
      dryRun: { type: 'array', items: PLAIN('string') },
      gracePeriodSeconds: PLAIN('integer', 'int64'),
      kind: PLAIN('string'),
      orphanDependents: PLAIN('boolean'),
      preconditions: refer(meta('Preconditions')),
      propagationPolicy: PLAIN('string'),
    },
  });
  const definitions = Object.fromEntries([...made].sort(([a], [b]) => compareText(a, b)));
  return { definitions, nameOf, listNameOf: (kind) => `${nameOf(kind)}List`, status: meta('Status'), deleteOptions: meta('DeleteOptions') };
}

const described = (text: string | undefined): Definition => (text === undefined ? {} : { description: text });

const closed = (values: readonly string[] | undefined): Definition => (values === undefined ? {} : { enum: values });

const sameFields = (definition: Definition | undefined, { fields }: ObjectShape): boolean => {
  const known = Object.keys(definition?.properties ?? {});
  const begun = (definition?.['x-fields'] ?? known) as readonly string[];
  const wanted = Object.keys(fields);
  return begun.length === wanted.length && wanted.every((name) => begun.includes(name));
};

/** How a field merges: what patches and apply read. */
function marksOf(schema: Schema): Record<`x-${string}`, unknown> {
  const marks: Record<`x-${string}`, unknown> = {};
  if (schema.type === 'list') {
    if (schema.listType !== undefined) marks['x-kubernetes-list-type'] = schema.listType;
    if (schema.listMapKeys !== undefined) marks['x-kubernetes-list-map-keys'] = schema.listMapKeys;
    if (schema.patchMergeKey !== undefined && schema.patchMergeKey !== '') marks['x-kubernetes-patch-merge-key'] = schema.patchMergeKey;
  }
  if ((schema.type === 'list' || schema.type === 'object') && schema.patchStrategy !== undefined)
    marks['x-kubernetes-patch-strategy'] = schema.patchStrategy;
  if (schema.type === 'map' && schema.mapType !== undefined) marks['x-kubernetes-map-type'] = schema.mapType;
  return marks;
}
