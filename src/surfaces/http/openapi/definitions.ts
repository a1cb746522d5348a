/** Every struct as a definition, named by its Go package. Models: v1.24 api/openapi-spec, kube-openapi pkg/common. */
import { type KindRegistry, servedVersions } from '../../../apiserver/kinds/index.ts';
import { compareText, present, repeats, unlessEmpty } from '../../../schema/values/index.ts';
import { type FeatureGates, fieldText, type Kind } from '../../../apiserver/machinery/index.ts';
import type { ObjectShape, Schema } from '../../../schema/shape/index.ts';
import {
  commonDefinitions,
  CORE_STRUCTS,
  listDefinition,
  META,
  META_STRUCTS,
  VALUES,
  type Definition,
  type GroupVersionKind,
} from './common.ts';

export type DefinitionSet = ReturnType<typeof definitionsOf>;

interface Draft {
  readonly kinds: KindRegistry;
  /** The prefix of every definition name and reference. */
  readonly root: string;
  readonly prefix: string;
  /** Whether enumerations of fields are published. */
  readonly closes: boolean;
  readonly made: Map<string, Definition>;
  /** The definition of the first struct with each name. */
  readonly places: Map<string, string>;
}

/** Returns the definitions of a registry; `prefix` starts every reference. */
export function definitionsOf(kinds: KindRegistry, prefix: string, gates: FeatureGates) {
  const draft: Draft = {
    kinds,
    prefix,
    closes: gates['OpenAPIEnums'] !== false,
    root: kinds.names.domain.split('.').reverse().join('.'),
    made: new Map(),
    places: new Map(),
  };
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

function groupsOf(kinds: KindRegistry): readonly { readonly group: string; readonly version: string }[] {
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
