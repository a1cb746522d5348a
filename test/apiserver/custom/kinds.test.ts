/** The kind of a definition: its names, versions, columns and scale, and what is no definition. */
import { describe, expect, it } from 'vitest';
import { customKind, defineCustomKind } from '../../../src/apiserver/custom/index.ts';
import { inVersion } from '../../../src/apiserver/kinds/index.ts';
import { type ApiObject, type Kind, namesFor } from '../../../src/apiserver/machinery/index.ts';
import { obj, str } from '../../../src/schema/shape/index.ts';
import { problemText } from '../../../src/schema/values/index.ts';

const number = { type: 'integer' };
const version = (name: string, more: object = {}) => ({
  name,
  storage: name === 'v1',
  schema: {
    openAPIV3Schema: {
      type: 'object',
      properties: { spec: { type: 'object', properties: { size: number } }, status: { type: 'object', properties: { pods: number } } },
    },
  },
  ...more,
});
const definition = (spec: object = {}, more: object = {}) => ({
  kind: 'CustomResourceDefinition',
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { kind: 'Widget', plural: 'widgets', shortNames: ['w'], categories: ['all'] },
    versions: [version('v1')],
    ...spec,
  },
  ...more,
});
function made(spec?: object, kindNamed?: (name: string) => Kind | undefined): Kind {
  const found = customKind(definition(spec), kindNamed);
  if ('problems' in found) throw new Error(JSON.stringify(found.problems));
  return found.kind;
}
const context = { names: namesFor('k8s.io'), gates: {}, now: 0 };

describe('a definition', () => {
  it.each<[unknown, string, string | RegExp]>([
    ['x', 'kind', 'expected CustomResourceDefinition'],
    [undefined, 'kind', 'expected CustomResourceDefinition'],
    [[], 'kind', 'expected CustomResourceDefinition'],
    [{ kind: 'Widget' }, 'kind', 'expected CustomResourceDefinition'],
    [definition({}, { spec: 5 }), 'spec', /^json: cannot unmarshal number into Go struct field CustomResourceDefinition\.spec of type /],
    [
      definition({ group: 5 }),
      'spec',
      /^json: cannot unmarshal number into Go struct field CustomResourceDefinitionSpec\.spec\.group of type string$/,
    ],
    [definition({}, { metadata: { name: 'x' } }), 'metadata.name', 'Invalid value: "x": must be spec.names.plural+"."+spec.group'],
  ])('%j is none', (sent, path, message) => {
    const found = customKind(sent);
    expect('problems' in found && found.problems).toEqual([
      { path, message: typeof message === 'string' ? message : (expect.stringMatching(message) as unknown) },
    ]);
  });

  it('gives a kind its names, and says what it lacks', () => {
    expect(made()).toMatchObject({
      kind: 'Widget',
      version: 'v1',
      plural: 'widgets',
      singular: 'widget',
      shortNames: ['w'],
      categories: ['all'],
      namespaced: true,
      subresources: [],
      groupPrefix: 'example.com.',
      models: 'A custom resource: Widget in example.com/v1.',
      definition: { metadata: { name: 'widgets.example.com' }, spec: { versions: [{ name: 'v1', served: true }] } },
    });
    expect(made({ scope: 'Cluster' }).namespaced).toBe(false);
    expect(made()).not.toHaveProperty('versions');
    expect(made().columns.map(({ name, type }) => `${name}:${type}`)).toEqual(['Name:string', 'Age:date']);
  });

  it('has a qualified name where another group has the kind, and shows the plain one', () => {
    const of = (groupPrefix: string) => made({}, (name) => ({ kind: name, groupPrefix }) as Kind);
    expect([of('other.com.'), of('example.com.')].map(({ kind, shownAs }) => [kind, shownAs])).toEqual([
      ['Widget.example.com', 'Widget'],
      ['Widget', undefined],
    ]);
    expect(made({ names: { kind: 'Widget', plural: 'widgets', listKind: 'Widgets' } }).listKind).toBe('Widgets');
    expect(made()).not.toHaveProperty('listKind');
  });

  it('is served in the versions that say so, the newest first, with the stored one', () => {
    const several = made({
      versions: [version('v1beta1'), version('v1'), version('v2', { served: false }), version('v10alpha1', { deprecated: true })],
    });
    expect([several.version, ...(several.versions?.keys() ?? [])]).toEqual(['v1', 'v1', 'v1beta1', 'v10alpha1']);
    expect(inVersion(several, 'v1')).toBe(several);
    expect(inVersion(several, 'v1beta1')?.stored).toBe(several);
    expect(inVersion(several, 'v10alpha1')?.deprecation).toBe('example.com/v10alpha1 Widget is deprecated; use example.com/v1 Widget');
    const unserved = made({ versions: [version('v1', { served: false }), version('v2')] });
    expect([...(unserved.versions?.keys() ?? [])]).toEqual(['v2']);
  });

  it.each<[object, string | undefined]>([
    [{ deprecated: false }, undefined],
    [{ deprecated: true, deprecationWarning: 'gone soon' }, 'gone soon'],
    [{ deprecated: true }, 'example.com/v1 Widget is deprecated'],
  ])('%j warns of %s', (more, warning) => expect(made({ versions: [version('v1', more), version('v1beta1')] }).deprecation).toBe(warning));
});

describe('the scale of a custom resource', () => {
  const scale = { specReplicasPath: '.spec.size', statusReplicasPath: '.status.pods' };
  const scaled = made({ versions: [version('v1', { subresources: { scale } })] });

  it('has its paths', () => {
    expect([scaled.subresources, scaled.scale]).toEqual([['scale'], { spec: ['spec', 'size'], status: ['status', 'pods'] }]);
    const both = made({
      versions: [version('v1', { subresources: { status: {}, scale: { ...scale, labelSelectorPath: '.status.a.b' } } })],
    });
    expect([both.subresources, both.scale?.selector]).toEqual([
      ['status', 'scale'],
      ['status', 'a', 'b'],
    ]);
  });

  it.each<[object, readonly string[]]>([
    [{}, []],
    [{ spec: { size: 0 }, status: { pods: 2_147_483_647 } }, []],
    [{ spec: { size: -1 }, status: { pods: 1 } }, ['.spec.size: Invalid value: -1: should be a non-negative integer']],
    [
      { spec: { size: 1 }, status: { pods: 2_147_483_648 } },
      ['.status.pods: Invalid value: 2147483648: should be less than or equal to 2147483647'],
    ],
  ])('counts up to the largest number of 32 bits: %j', (more, errors) => {
    const object = {
      apiVersion: 'example.com/v1',
      kind: 'Widget',
      metadata: { name: 'w', namespace: 'n' },
      ...more,
    } as unknown as ApiObject;
    expect(scaled.validate(object, context).map(problemText)).toEqual(errors);
  });
});

it('a kind in TypeScript has the status sub-resource where its schema has a status', () => {
  const of = (fields: object) =>
    defineCustomKind<ApiObject>({ kind: 'Lamp', group: 'x.io', schema: obj('Lamp', fields as { readonly spec: ReturnType<typeof str> }) });
  expect(
    [of({ spec: str() }), of({ spec: str(), status: str() })].map(({ subresources, version: v, plural, models }) => [
      subresources,
      v,
      plural,
      models,
    ]),
  ).toEqual([
    [[], 'v1', 'lamps', 'Custom kind: Lamp in x.io/v1.'],
    [['status'], 'v1', 'lamps', 'Custom kind: Lamp in x.io/v1.'],
  ]);
});
