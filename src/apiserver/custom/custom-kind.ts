/** A kind from a CustomResourceDefinition. Models: v1.24 apiextensions v1; one version, no conversion, no CEL rules. */
import { ageColumn, type ApiObject, type Kind, nameColumn, typeMeta } from '../machinery/index.ts';
import { defineCustomKind } from './define-custom-kind.ts';
import { COLUMN_TYPES, pathSteps, printerColumn, type PrinterColumn } from './printer-columns.ts';
import { ruleErrors } from './rules.ts';
import { fieldsOf, structOf } from './shape.ts';
import { type Given, given, scaleErrors, subresourcesOf } from './scale.ts';
import { isStructural, type Structural } from './structural.ts';

export interface CustomProblem {
  /** `spec.versions[0].schema.openAPIV3Schema.properties[spec].type`. */
  readonly path: string;
  readonly message: string;
}

/** The column of tables when a definition has none. Models: apiextensions helpers serveDefaultColumnsIfEmpty. */
const AGE = { ...ageColumn, type: 'date' } as const;

const texts = (value: unknown): readonly string[] => (Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []);

/** Returns the kind that a definition describes, or all problems of the definition. */
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
