/** A kind from a CustomResourceDefinition. Models: v1.24 apiextensions-apiserver pkg/apiserver customresource_handler.go. */
import { memo } from '../../engine/index.ts';
import { decode, DecodeError } from '../../schema/shape/index.ts';
import { compareVersions, present, problemBody } from '../../schema/values/index.ts';
import { type CustomResourceDefinition, type DefinitionVersion, kindsFor } from '../kinds/index.ts';
import { ageColumn, invalid, nameColumn, namesFor, resolveGates, typeMeta } from '../machinery/index.ts';
import type { ApiObject, FieldError, Kind, ObjectInput, ScalePaths } from '../machinery/index.ts';
import { brokenRules, fieldsOf, pathSteps, printerColumn, ruleErrors, type Structural, structOf } from '../structural/index.ts';
import { defineCustomKind } from './define-custom-kind.ts';

export interface CustomProblem {
  /** `spec.versions[0].schema.openAPIV3Schema.properties[spec].type`. */
  readonly path: string;
  readonly message: string;
}

/** The column of tables when a definition has none. Models: apiextensions helpers serveDefaultColumnsIfEmpty. */
const AGE = { ...ageColumn, type: 'date' } as const;

type Spec = CustomResourceDefinition['spec'];
type Given = Readonly<Record<string, unknown>>;
const given = (value: unknown): Given => (typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Given) : {});

/**
 * Returns the kind of a definition as a client would send it, or everything that the server would refuse of it. `kindNamed`: the
 * kind that has a name already. If it is of another group, this kind gets a qualified name.
 */
export function customKind(
  sent: unknown,
  kindNamed: (name: string) => Kind | undefined = () => undefined,
): { readonly kind: Kind } | { readonly problems: readonly CustomProblem[] } {
  const { kind: what } = given(sent);
  if (what !== 'CustomResourceDefinition') return { problems: [{ path: 'kind', message: 'expected CustomResourceDefinition' }] };
  const names = namesFor('k8s.io');
  const own = kindsFor(names).byKind('CustomResourceDefinition');
  if (own === undefined) throw new Error('CustomResourceDefinition is a kind');
  const manifest = withServed({ ...given(sent), metadata: { ...metadataOf(given(sent)) } } as ObjectInput);
  let definition: CustomResourceDefinition;
  try {
    definition = decode(own.schema, manifest) as CustomResourceDefinition;
  } catch (error) {
    if (error instanceof DecodeError) return { problems: [{ path: 'spec', message: error.message }] };
    throw error;
  }
  const errors = own.validate(definition, { names, gates: resolveGates({}).gates, rules: 'recorded', now: 0 });
  if (errors.length > 0) return { problems: errors.map((error) => ({ path: error.field, message: problemBody(error) })) };
  const { names: { kind = '' } = {}, group = '' } = definition.spec;
  const { groupPrefix } = kindNamed(kind) ?? {};
  const name = groupPrefix === undefined || names.group(groupPrefix) === group ? kind : `${kind}.${group}`;
  return { kind: kindOfDefinition(definition, name, manifest) };
}

/** A definition that is written by hand may leave its name out. */
function metadataOf({ metadata, spec }: Given): Given {
  const { group, names } = given(spec);
  const { plural } = given(names);
  return { name: `${String(plural)}.${String(group)}`, ...given(metadata) };
}

/** Nor need it say that its versions are served. */
function withServed(manifest: ObjectInput): ObjectInput {
  const spec = given(manifest['spec']);
  const { versions } = spec;
  if (!Array.isArray(versions)) return manifest;
  return { ...manifest, spec: { ...spec, versions: versions.map((each: unknown) => ({ served: true, ...given(each) })) } };
}

const made = memo(new WeakMap<object, Kind>());

/**
 * Returns the kind of a valid definition in the version that is stored, with all that are served; the same object for the same
 * specification. `name`: its name in a registry.
 */
export function kindOfDefinition(definition: CustomResourceDefinition, name: string, manifest = definition as ObjectInput): Kind {
  const { spec } = definition;
  const known = made.get(spec);
  if (known?.kind === name) return known;
  const all = spec.versions ?? [];
  const version = all.find(({ storage }) => storage);
  if (version === undefined) throw new Error(`${definition.metadata.name} has no storage version`);
  const served = all.filter((each) => each.served).toSorted((a, b) => compareVersions(a.name ?? '', b.name ?? ''));
  const kind: Kind & { versions?: ReadonlyMap<string, Kind> } = { ...kindOf(spec, version, name), definition: manifest };
  if (served.length !== 1 || served[0] !== version)
    kind.versions = new Map(
      served.map((each) => [
        each.name ?? '',
        each === version ? kind : { ...kindOf(spec, each, name), definition: manifest, stored: kind },
      ]),
    );
  made.set(spec, kind);
  return kind;
}

/** Models: customresource_handler.go defaultDeprecationWarning. */
function deprecationOf({ group = '', names, versions = [] }: Spec, { name = '', deprecated, deprecationWarning }: DefinitionVersion) {
  if (deprecated !== true) return undefined;
  if (deprecationWarning !== undefined) return deprecationWarning;
  const [better] = versions
    .flatMap((each) => (each.served && each.deprecated !== true ? [each.name ?? ''] : []))
    .filter((each) => compareVersions(each, name) < 0)
    .sort(compareVersions);
  const kind = names?.kind ?? '';
  return `${group}/${name} ${kind} is deprecated${better === undefined ? '' : `; use ${group}/${better} ${kind}`}`;
}

function kindOf(spec: Spec, version: DefinitionVersion, kind: string): Kind {
  const { group = '', scope, names } = spec;
  const structural = version.schema?.openAPIV3Schema as Structural;
  const { metadata: _, apiVersion: __, kind: ___, ...properties } = structural.properties ?? {};
  const body: Structural = { ...structural, properties };
  const rest = { ...body, required: body.required?.filter((name) => Object.hasOwn(properties, name)) ?? [] };
  const shown = names?.kind ?? kind;
  const subresources = subresourcesOf(version);
  const columns = (version.additionalPrinterColumns ?? []).map((column) => {
    const { name = '', type = 'string', jsonPath = '' } = column;
    return printerColumn({ ...column, name, type: type as 'string', jsonPath }, pathSteps(jsonPath) ?? []);
  });
  const deprecation = deprecationOf(spec, version);
  const defined = defineCustomKind<ApiObject>({
    kind,
    group,
    version: version.name ?? '',
    plural: names?.plural ?? '',
    singular: names?.singular ?? '',
    shortNames: names?.shortNames ?? [],
    categories: names?.categories ?? [],
    namespaced: scope === 'Namespaced',
    schema: structOf(rest, shown, { ...typeMeta, ...fieldsOf(rest, shown) }),
    ...subresources,
    columns: [nameColumn, ...(columns.length === 0 ? [AGE] : columns)],
    validate: (object, _____, old) => {
      const { apiVersion: ____, kind: ______, metadata: _______, ...fields } = object;
      const errors = ruleErrors(fields, rest, '');
      return [
        ...errors,
        ...brokenRules(object, old, structural, errors),
        ...(subresources.scale === undefined ? [] : scaleErrors(fields, subresources.scale)),
      ];
    },
    models: `A custom resource: ${shown} in ${group}/${version.name ?? ''}.`,
  });
  return {
    ...defined,
    ...(shown === kind ? {} : { shownAs: shown }),
    ...(names?.listKind === `${shown}List` ? {} : present({ listKind: names?.listKind })),
    ...present({ deprecation }),
  };
}

const stepsOf = (path: string | undefined): readonly string[] => (path ?? '').split('.').slice(1);

function subresourcesOf({ subresources }: DefinitionVersion): { readonly subresources: readonly string[]; readonly scale?: ScalePaths } {
  const { status, scale } = subresources ?? {};
  const names = [...(status === undefined ? [] : ['status']), ...(scale === undefined ? [] : ['scale'])];
  if (scale === undefined) return { subresources: names };
  const paths = { spec: stepsOf(scale.specReplicasPath), status: stepsOf(scale.statusReplicasPath) };
  const selector = scale.labelSelectorPath ?? '';
  return { subresources: names, scale: selector === '' ? paths : { ...paths, selector: stepsOf(selector) } };
}

const INT32_MAX = 2_147_483_647;

/** Validates the values that a Scale shows. Models: customresource validator.go ValidateScaleSpec, ValidateScaleStatus. */
function scaleErrors(object: unknown, { spec, status }: ScalePaths): readonly FieldError[] {
  return [spec, status].flatMap((path) => {
    const value = path.reduce<unknown>((inner, name) => given(inner)[name], object);
    const field = `.${path.join('.')}`;
    if (typeof value !== 'number') return [];
    if (value < 0) return [invalid(field, value, 'should be a non-negative integer')];
    return value > INT32_MAX ? [invalid(field, value, `should be less than or equal to ${INT32_MAX}`)] : [];
  });
}
