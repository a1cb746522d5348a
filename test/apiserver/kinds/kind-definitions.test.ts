/** The definition of a kind: its columns, what it is without more, its rules. */
import { describe, expect, it } from 'vitest';
import { defineKind, type PodTemplateSpec, selectorColumn, templateColumns } from '../../../src/apiserver/machinery/index.ts';
import { int32, obj, str } from '../../../src/schema/shape/index.ts';
import { lines } from './validation/causes.ts';

const LABELS = { a: 'b' };

describe('columns', () => {
  it('show containers, images and selectors', () => {
    const object = {
      template: { spec: { containers: [{ name: 'a', image: 'i' }, { name: 'b' }] } },
      selector: { matchLabels: LABELS },
    } as never;
    const cells = [
      ...templateColumns((each: never) => (each as { template: PodTemplateSpec }).template),
      selectorColumn((each: never) => (each as { selector: object }).selector),
    ];
    expect(cells.map(([name, type, , cell, priority]) => [name, type, cell(object, {} as never), priority])).toEqual([
      ['Containers', 'string', 'a,b', 'wide'],
      ['Images', 'string', 'i,', 'wide'],
      ['Selector', 'string', 'a=b', 'wide'],
    ]);
    expect(templateColumns(() => ({ spec: {} }) as never)[0]?.[3](object, {} as never)).toBe('');
  });

  it('of a definition are its own, those of fields, and the age', () => {
    const schema = obj('Thing', {
      spec: obj('ThingSpec', {
        size: { ...int32, column: 'Size', says: 'How large.' },
        color: { ...str(), column: 'Color', says: 'Which.' },
      } as never),
    });
    const kind = defineKind({
      schema,
      models: '',
      columns: [
        'Name',
        'spec.color',
        ['Own', 'string', 'Its own.', () => 'x', 'wide'],
        { name: 'Plain', type: 'string', description: '', priority: 0, cell: () => 'y' },
        'Age',
      ],
    } as never);
    expect(kind.columns.map(({ name, priority }) => [name, priority])).toEqual([
      ['Name', 0],
      ['Color', 0],
      ['Own', 1],
      ['Plain', 0],
      ['Size', 0],
      ['Age', 0],
    ]);
    const { columns: _, validate: __, validateUpdate: ___, schema: ____, ...rest } = kind;
    expect(rest).toEqual({
      kind: 'Thing',
      plural: 'things',
      singular: 'thing',
      shortNames: [],
      categories: [],
      groupPrefix: '',
      version: 'v1',
      namespaced: true,
      subresources: [],
      generation: 'none',
      allowCreateOnUpdate: false,
      allowUnconditionalUpdate: true,
      deleteReturns: 'Status',
      defaultPropagation: 'Background',
      models: '',
    });
    expect(() => defineKind({ schema, models: '', columns: ['spec.gone'] })).toThrow('Thing: spec.gone has no column');
  });

  it('of a definition without any are its name, its fields and its age', () => {
    const kind = defineKind({
      schema: obj('Thing', { spec: obj('ThingSpec', {}) }),
      kind: 'Other',
      namespaced: false,
      models: '',
      validateName: () => ['is wrong'],
      anyFinalizers: true,
    } as never);
    expect([kind.columns.map(({ name }) => name), kind.kind, kind.plural]).toEqual([['Name', 'Age'], 'Other', 'others']);
    const context = { names: { key: () => 'kubernetes.io/' } } as never;
    const object = { metadata: { name: 'a', finalizers: ['odd'], namespace: 'n', resourceVersion: '1' } } as never;
    expect([
      lines(kind.validate(object, context)),
      lines(kind.validateUpdate(object, { metadata: { name: 'b', resourceVersion: '1' } } as never, context)),
    ]).toEqual([
      ['metadata.name Invalid "a" is wrong', 'metadata.namespace Forbidden - not allowed on this type'],
      ['metadata.name Invalid "a" field is immutable', 'metadata.namespace Invalid "n" field is immutable'],
    ]);
  });
});

describe('a rule', () => {
  it('has the place and the member of its field', () => {
    const rule = (field: string, more: object = {}) => ({ name: 'n/r', statement: 's', recorded: 'r', field, check: () => [], ...more });
    const { specification = [] } = defineKind({
      schema: obj('Thing', {}),
      models: '',
      specification: [
        rule('spec.a'),
        rule('status.list[].b', { place: 'there' }),
        rule('data.x'),
        rule('spec[0]', { ofDocument: true }),
        rule('metadata', { place: 'resource-api.md: elsewhere' }),
      ],
    });
    expect(specification.map((each) => ({ ...each, check: undefined }))).toEqual([
      {
        kind: 'Thing',
        name: 'n/r',
        statement: 's',
        recorded: 'r',
        field: 'spec.a',
        place: 'resource-api.md: Thing, spec.a',
        member: 'spec',
      },
      {
        kind: 'Thing',
        name: 'n/r',
        statement: 's',
        recorded: 'r',
        field: 'status.list[].b',
        place: 'resource-api.md: Thing, there',
        member: 'status',
      },
      { kind: 'Thing', name: 'n/r', statement: 's', recorded: 'r', field: 'data.x', place: 'resource-api.md: Thing, data.x' },
      { kind: 'Thing', name: 'n/r', statement: 's', recorded: 'r', field: 'spec[0]', place: 'resource-api.md: Thing, spec[0]' },
      {
        kind: 'Thing',
        name: 'n/r',
        statement: 's',
        recorded: 'r',
        field: 'metadata',
        place: 'resource-api.md: elsewhere',
        member: 'metadata',
      },
    ]);
  });
});
