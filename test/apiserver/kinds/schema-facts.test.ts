/** Every published definition of v1.24 with a kind here must agree with it: fields, types, required members, merge rules of lists. */
import { describe, expect, it } from 'vitest';
import { kindsFor } from '../../../src/apiserver/kinds/index.ts';
import { namesFor } from '../../../src/apiserver/machinery/index.ts';
import type { ObjectShape, Schema } from '../../../src/schema/shape/index.ts';
import { oracleJson } from '../../support/oracle.ts';

interface Fact {
  readonly type?: string;
  readonly format?: string;
  readonly ref?: string;
  readonly items?: Fact;
  readonly additionalProperties?: Fact;
  readonly [mark: `x-${string}`]: unknown;
}
interface Definition {
  readonly properties?: Readonly<Record<string, Fact>>;
  readonly required?: readonly string[];
  readonly type?: string;
  readonly [mark: `x-${string}`]: unknown;
}

const { definitions } = oracleJson('v1.24/api/discovery/schema-facts.json') as {
  readonly definitions: Readonly<Record<string, Definition>>;
};

/** Definitions that are values here, and not structs. */
const VALUES: Readonly<Record<string, Schema['type']>> = {
  Time: 'time',
  MicroTime: 'microTime',
  Quantity: 'quantity',
  IntOrString: 'intOrString',
  RawExtension: 'any',
  FieldsV1: 'any',
};

const last = (ref: string): string => ref.slice(ref.lastIndexOf('.') + 1);

function compare(shape: ObjectShape, ref: string, seen: Set<string>, wrong: string[]): void {
  if (seen.has(ref)) return;
  seen.add(ref);
  const published = definitions[ref];
  if (published === undefined) {
    wrong.push(`${ref} is not published`);
    return;
  }
  const properties = published.properties ?? {};
  const missing = Object.keys(properties).filter((name) => shape.fields[name] === undefined);
  const extra = Object.keys(shape.fields).filter((name) => properties[name] === undefined);
  if (missing.length > 0) wrong.push(`${shape.go} lacks ${missing.join(', ')}`);
  if (extra.length > 0) wrong.push(`${shape.go} has ${extra.join(', ')}`);
  const required = Object.keys(shape.fields)
    .filter((name) => shape.fields[name]?.required === true)
    .sort();
  if (required.join() !== [...(published.required ?? [])].sort().join())
    wrong.push(`${shape.go} requires ${required.join()}, published ${(published.required ?? []).join()}`);
  if (shape.mapType !== published['x-kubernetes-map-type'])
    wrong.push(`${shape.go} map type ${String(shape.mapType)}, published ${String(published['x-kubernetes-map-type'])}`);
  for (const [name, fact] of Object.entries(properties)) {
    const field = shape.fields[name];
    if (field !== undefined) compareField(field, fact, `${shape.go}.${name}`, seen, wrong);
  }
}

function compareField(field: Schema, fact: Fact, at: string, seen: Set<string>, wrong: string[]): void {
  if (fact.ref !== undefined) {
    const value = VALUES[last(fact.ref)];
    if (value !== undefined ? field.type !== value : field.type !== 'object')
      wrong.push(`${at} is ${field.type}, published ${last(fact.ref)}`);
    else if (field.type === 'object') {
      if (field.go !== last(fact.ref)) wrong.push(`${at} is a ${field.go}, published ${last(fact.ref)}`);
      compare(field, fact.ref, seen, wrong);
    }
    return;
  }
  const types: Readonly<Record<string, readonly string[]>> = {
    string: ['string', 'bytes'],
    boolean: ['boolean'],
    integer: ['int32', 'int64'],
    array: ['list'],
    object: ['map'],
  };
  if (!(types[fact.type ?? ''] ?? []).includes(field.type)) wrong.push(`${at} is ${field.type}, published ${String(fact.type)}`);
  if (fact.type === 'integer' && fact.format !== undefined && fact.format !== field.type)
    wrong.push(`${at} is ${field.type}, published ${fact.format}`);
  if (field.type === 'list') {
    const said = [
      field.listType,
      field.listMapKeys?.join(),
      field.patchStrategy,
      field.patchMergeKey === '' ? undefined : field.patchMergeKey,
    ];
    const published = [
      fact['x-kubernetes-list-type'],
      (fact['x-kubernetes-list-map-keys'] as readonly string[] | undefined)?.join(),
      fact['x-kubernetes-patch-strategy'],
      fact['x-kubernetes-patch-merge-key'],
    ];
    if (JSON.stringify(said) !== JSON.stringify(published))
      wrong.push(`${at} merges by ${JSON.stringify(said)}, published ${JSON.stringify(published)}`);
    if (fact.items !== undefined) compareField(field.items, fact.items, `${at}[]`, seen, wrong);
  }
  if (field.type === 'map') {
    if (field.mapType !== fact['x-kubernetes-map-type'])
      wrong.push(`${at} map type ${String(field.mapType)}, published ${String(fact['x-kubernetes-map-type'])}`);
    if (fact.additionalProperties !== undefined) compareField(field.values, fact.additionalProperties, `${at}{}`, seen, wrong);
  }
}

describe('published schemas', () => {
  const names = namesFor('k8s.io');
  for (const kind of kindsFor(names).list()) {
    const ref = Object.keys(definitions).find(
      (name) =>
        last(name) === kind.kind &&
        Array.isArray(definitions[name]?.['x-kubernetes-group-version-kind']) &&
        (definitions[name]['x-kubernetes-group-version-kind'] as readonly { readonly group: string }[]).some(
          ({ group }) => group === names.group(kind.groupPrefix),
        ),
    );
    if (ref === undefined) continue;
    it(kind.kind, () => {
      const wrong: string[] = [];
      compare(kind.schema, ref, new Set(), wrong);
      expect(wrong).toEqual([]);
    });
  }
});
