/** Every struct as a definition, named by its Go package. Models: v1.24 api/openapi-spec, kube-openapi pkg/common. */
import type { GroupVersion } from '../discovery/resource-list.ts';
import { type KindRegistry, servedVersions } from '../../../apiserver/kinds/index.ts';
import { compareText, present, repeats, unlessEmpty } from '../../../schema/values/index.ts';
import { type FeatureGates, fieldText, type Kind } from '../../../apiserver/machinery/index.ts';
import type { ObjectShape, Schema } from '../../../schema/shape/index.ts';

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

export interface GroupVersionKind extends GroupVersion {
  readonly kind: string;
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
/** Core structs that no modelled core kind uses. */
const CORE_STRUCTS: ReadonlySet<string> = new Set(['PodTemplateSpec', 'TopologySelectorTerm', 'TopologySelectorLabelRequirement']);
const VALUES: Readonly<Record<string, { readonly name: string; readonly definition: Definition }>> = {
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
function commonDefinitions(refer: (name: string) => Definition, groups: readonly GroupVersion[]): Readonly<Record<string, Definition>> {
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

const listDefinition = (item: Definition, metadata: Definition, gvk: GroupVersionKind): Definition => ({
  type: 'object',
  properties: { apiVersion: STRING, items: listOf(item), kind: STRING, metadata },
  required: ['items'],
  'x-kubernetes-group-version-kind': [gvk],
});

export type DefinitionSet = ReturnType<typeof definitionsOf>;

type Draft = ReturnType<typeof newDraft>;

const newDraft = (kinds: KindRegistry, prefix: string, gates: FeatureGates) => ({
  kinds,
  prefix,
  /** Whether enumerations of fields are published. */
  closes: gates['OpenAPIEnums'] !== false,
  /** The prefix of every definition name and reference. */
  root: kinds.names.domain.split('.').reverse().join('.'),
  made: new Map<string, Definition>(),
  /** The definition of the first struct with each name. */
  places: new Map<string, string>(),
});

/** Returns the definitions of a registry; `prefix` starts every reference. */
export function definitionsOf(kinds: KindRegistry, prefix: string, gates: FeatureGates) {
  const draft = newDraft(kinds, prefix, gates);
  const meta = (name: string): string => metaName(draft, name);
  // Core kinds first, because structs that several groups share belong to core.
  for (const kind of kinds.list()) if (kind.groupPrefix === '') defineKind(draft, kind);
  for (const kind of kinds.list().flatMap(servedVersions)) if (kind.groupPrefix !== '') defineKind(draft, kind);
  const common = commonDefinitions((name) => refer(draft, meta(name)), groupsOf(kinds));
  for (const [name, definition] of Object.entries(common)) draft.made.set(meta(name), definition);
  const nameOf = (kind: Kind): string => `${draft.root}.${packageOf(kind)}.${kind.shownAs ?? kind.kind}`;
  return {
    definitions: Object.fromEntries([...draft.made].sort(([a], [b]) => compareText(a, b))) as Readonly<Record<string, Definition>>,
    nameOf,
    listNameOf: (kind: Kind) => `${nameOf(kind)}List`,
    status: meta('Status'),
    deleteOptions: meta('DeleteOptions'),
  };
}

const metaName = ({ root }: Draft, name: string): string => `${root}.${META}.${name}`;
const refer = ({ prefix }: Draft, name: string): Definition => ({ $ref: `${prefix}${name}` });

const packageOf = ({ groupPrefix, version }: Kind): string =>
  groupPrefix === 'apiregistration'
    ? `kube-aggregator.pkg.apis.apiregistration.${version}`
    : `api.${groupPrefix === '' ? 'core' : (groupPrefix.split('.')[0] ?? '')}.${version}`;

const gvkOf = ({ kinds }: Draft, kind: Kind, suffix = ''): GroupVersionKind => ({
  group: kinds.names.group(kind.groupPrefix),
  kind: `${kind.shownAs ?? kind.kind}${suffix}`,
  version: kind.version,
});

function groupsOf(kinds: KindRegistry): readonly GroupVersion[] {
  const isRepeated = repeats<string>();
  return kinds
    .list()
    .flatMap(servedVersions)
    .map(({ groupPrefix, version }) => ({ group: kinds.names.group(groupPrefix), version }))
    .filter(({ group, version }) => !isRepeated(`${group}/${version}`));
}

function defineKind(draft: Draft, kind: Kind): void {
  const { made } = draft;
  const name = define(draft, kind.schema, kind);
  made.set(name, { ...made.get(name), 'x-kubernetes-group-version-kind': [gvkOf(draft, kind)] });
  made.set(`${name}List`, listDefinition(refer(draft, name), refer(draft, metaName(draft, 'ListMeta')), gvkOf(draft, kind, 'List')));
}

/** Adds a struct and the structs that it uses. Returns its name. */
function define(draft: Draft, shape: ObjectShape, kind: Kind): string {
  const { made } = draft;
  const name = placeOf(draft, shape, kind);
  if (made.has(name)) return name;
  made.set(name, { type: 'object', 'x-fields': Object.keys(shape.fields) });
  const entries = Object.entries(shape.fields);
  const required = entries.filter(([, field]) => field.required === true).map(([key]) => key);
  const property = ([key, field]: (typeof entries)[number]): readonly [string, Definition] => [
    key,
    present({ description: fieldText(shape, key), ...write(draft, field, kind), enum: draft.closes ? field.oneOf : undefined }),
  ];
  const definition = {
    description: shape.about,
    type: 'object',
    properties: Object.fromEntries(entries.map(property)),
    required: unlessEmpty(required),
    'x-kubernetes-map-type': shape.mapType,
  };
  made.set(name, present(definition));
  return name;
}

/** Returns the name of a struct. If two groups have different structs of one name, each has its own definition. */
function placeOf(draft: Draft, shape: ObjectShape, kind: Kind): string {
  const { root, places, made } = draft;
  if (META_STRUCTS.has(shape.go)) return metaName(draft, shape.go);
  if (CORE_STRUCTS.has(shape.go)) return `${root}.api.core.v1.${shape.go}`;
  const specific = `${root}.${packageOf(kind)}.${shape.go}`;
  if (kind.definition !== undefined) return specific;
  const core = places.get(shape.go);
  if (core === undefined) {
    places.set(shape.go, specific);
    return specific;
  }
  return sameFields(made.get(core), shape) ? core : specific;
}

function write(draft: Draft, schema: Schema, kind: Kind): Definition {
  switch (schema.type) {
    case 'object':
      return { ...refer(draft, define(draft, schema, kind)), ...marksOf(schema) };
    case 'list':
      return { type: 'array', items: write(draft, schema.items, kind), ...marksOf(schema) };
    case 'map':
      return { type: 'object', additionalProperties: write(draft, schema.values, kind), ...marksOf(schema) };
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
      return present({ type: 'string', format: 'byte', 'x-kubernetes-list-type': (schema as { readonly listType?: string }).listType });
    default: {
      const value = VALUES[schema.type];
      if (value === undefined) throw new Error(`no definition of ${schema.type}`);
      const name = `${draft.root}.${value.name}`;
      draft.made.set(name, value.definition);
      return refer(draft, name);
    }
  }
}

const sameFields = (definition: Definition | undefined, { fields }: ObjectShape): boolean => {
  const known = Object.keys(definition?.properties ?? {});
  const begun = (definition?.['x-fields'] ?? known) as readonly string[];
  const wanted = Object.keys(fields);
  return begun.length === wanted.length && wanted.every((name) => begun.includes(name));
};

/** The merge strategy of a field, for patches and apply. */
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
