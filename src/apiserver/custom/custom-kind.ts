/** A kind from a CustomResourceDefinition. Models: v1.24 apiextensions v1; one version, no conversion, no CEL rules. */
import {
  ageColumn,
  type ApiObject,
  type FieldError,
  invalid,
  type Kind,
  nameColumn,
  type ScalePaths,
  typeMeta,
} from '../machinery/index.ts';
import { type CustomKindDefinition, defineCustomKind } from './define-custom-kind.ts';
import { COLUMN_TYPES, pathSteps, printerColumn, type PrinterColumn } from './printer-columns.ts';
import { ruleErrors } from './rules.ts';
import { fieldsOf, structOf } from './coerce.ts';
import { isStructural, type Note, type Structural } from './structural.ts';

export interface CustomProblem {
  /** `spec.versions[0].schema.openAPIV3Schema.properties[spec].type`. */
  readonly path: string;
  readonly message: string;
}

/** The column of tables when a definition has none. Models: apiextensions helpers serveDefaultColumnsIfEmpty. */
const AGE = { ...ageColumn, type: 'date' } as const;

const texts = (value: unknown): readonly string[] => (Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []);

export function customKind(definition: unknown): { readonly kind: Kind } | { readonly problems: readonly CustomProblem[] } {
  const problems: CustomProblem[] = [];
  const note = (path: string, message: string): void => {
    problems.push({ path, message });
  };
  const { spec: rawSpec, kind: what } = given(definition);
  if (what !== 'CustomResourceDefinition') note('kind', 'expected CustomResourceDefinition');
  const spec = given(rawSpec);
  const names = given(spec['names']);
  const text = (from: Given, name: string, path: string): string => {
    const value = from[name];
    if (typeof value === 'string' && value !== '') return value;
    note(`${path}.${name}`, 'expected a text');
    return '';
  };
  const group = text(spec, 'group', 'spec');
  const [kind, plural] = [text(names, 'kind', 'spec.names'), text(names, 'plural', 'spec.names')];
  if (spec['scope'] !== 'Namespaced' && spec['scope'] !== 'Cluster') note('spec.scope', 'expected Namespaced or Cluster');
  const versions: readonly unknown[] = Array.isArray(spec['versions']) ? spec['versions'] : [];
  const at = versions.findIndex((each) => given(each)['storage'] === true);
  const path = `spec.versions[${Math.max(at, 0)}]`;
  const version = given(versions[Math.max(at, 0)]);
  const versionName = text(version, 'name', path);
  const schemaPath = `${path}.schema.openAPIV3Schema`;
  const schema = given(version['schema'])['openAPIV3Schema'];
  const structural = isStructural(schema, schemaPath, note) ? schema : undefined;
  const columns = columnsOf(version['additionalPrinterColumns'], path, note);
  const subresources = subresourcesOf(given(version['subresources']), `${path}.subresources`, note);
  if (problems.length > 0 || structural === undefined) return { problems };
  const { metadata: _, apiVersion: __, kind: ___, ...properties } = structural.properties ?? {};
  const body: Structural = { ...structural, properties };
  const rest = { ...body, required: body.required?.filter((name) => Object.hasOwn(properties, name)) ?? [] };
  return {
    kind: defineCustomKind<ApiObject>({
      kind,
      group,
      version: versionName,
      plural,
      singular: typeof names['singular'] === 'string' ? names['singular'] : kind.toLowerCase(),
      shortNames: texts(names['shortNames']),
      categories: texts(names['categories']),
      namespaced: spec['scope'] === 'Namespaced',
      schema: structOf(rest, kind, { ...typeMeta, ...fieldsOf(rest, kind) }),
      ...subresources,
      columns: [nameColumn, ...(columns.length === 0 ? [AGE] : columns)],
      validate: ({ apiVersion: ____, kind: _____, metadata: ______, ...fields }) => [
        ...ruleErrors(fields, rest, ''),
        ...(subresources.scale === undefined ? [] : scaleErrors(fields, subresources.scale)),
      ],
      models: `A custom resource: ${kind} in ${group}/${versionName}. Left out: conversion, CEL rules.`,
    }),
  };
}

function columnsOf(list: unknown, path: string, note: (path: string, message: string) => void) {
  return (Array.isArray(list) ? list : []).flatMap((each: unknown, at) => {
    const column = given(each) as Partial<PrinterColumn>;
    const where = `${path}.additionalPrinterColumns[${at}]`;
    const steps = typeof column.jsonPath === 'string' ? pathSteps(column.jsonPath) : undefined;
    if (typeof column.name !== 'string') note(`${where}.name`, 'expected a text');
    if (!COLUMN_TYPES.some((type) => type === column.type)) note(`${where}.type`, `expected one of ${COLUMN_TYPES.join(', ')}`);
    if (steps === undefined)
      note(
        `${where}.jsonPath`,
        'expected a path such as .spec.size, .status.parts[0].name or .status.conditions[?(@.type=="Ready")].status',
      );
    const { name, type, jsonPath } = column;
    return steps === undefined || name === undefined || type === undefined || jsonPath === undefined
      ? []
      : [printerColumn({ ...column, name, type, jsonPath }, steps)];
  });
}

export type Given = Readonly<Record<string, unknown>>;
const given = (value: unknown): Given => (typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Given) : {});

const INT32_MAX = 2_147_483_647;

function subresourcesOf(
  { status, scale }: Given,
  path: string,
  note: Note,
): Pick<CustomKindDefinition<ApiObject>, 'subresources' | 'scale'> {
  const subresources = [...(status === undefined ? [] : ['status']), ...(scale === undefined ? [] : ['scale'])];
  if (scale === undefined) return { subresources };
  const { specReplicasPath, statusReplicasPath, labelSelectorPath } = given(scale);
  const names = (value: unknown, field: string, under: readonly string[]): readonly string[] => {
    const found = typeof value === 'string' && /^(?:\.[A-Za-z][\w-]*)+$/.test(value) ? value.slice(1).split('.') : [];
    if (found.length < 2 || !under.includes(found[0] ?? ''))
      note(
        `${path}.scale.${field}`,
        `expected a path such as .${under[0] ?? ''}.${field === 'labelSelectorPath' ? 'selector' : 'replicas'}`,
      );
    return found;
  };
  const paths = {
    spec: names(specReplicasPath, 'specReplicasPath', ['spec']),
    status: names(statusReplicasPath, 'statusReplicasPath', ['status']),
    ...(labelSelectorPath === undefined ? {} : { selector: names(labelSelectorPath, 'labelSelectorPath', ['status', 'spec']) }),
  };
  return { subresources, scale: paths };
}

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
