/** Kinds of a dump that the server does not have: their names, and how they are served. */
import { describe, expect, it } from 'vitest';
import { namesFor } from '../../../src/apiserver/machinery/index.ts';
import { kindsFor } from '../../../src/apiserver/kinds/index.ts';
import { definedIn, definedKinds, foreignKinds, guessedPlural, withDumped, withForeign } from '../../../src/lab/snapshot/foreign.ts';

const base = kindsFor(namesFor('k8s.io'));
const POLICY = {
  group: 'x.io',
  version: 'v1',
  kind: 'Policy',
  plural: 'policies',
  namespaced: true,
  shortNames: ['pol'],
  fields: ['spec', 'data'],
};
const definition = (
  kind: string,
  { group = 'x.io', scope = 'Namespaced', conditions }: { group?: string; scope?: string; conditions?: unknown } = {},
) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${kind.toLowerCase()}s.${group}` },
  spec: {
    group,
    scope,
    names: { kind, plural: `${kind.toLowerCase()}s`, shortNames: ['s1'] },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
  status: { conditions },
});
const ESTABLISHED = [
  { type: 'NamesAccepted', status: 'True' },
  { type: 'Established', status: 'True' },
];

describe('names', () => {
  it.each([
    ['Policy', 'policies'],
    ['Endpoints', 'endpoints'],
    ['MyEndpoints', 'myendpoints'],
    ['Gateways', 'gatewayses'],
    ['Class', 'classes'],
    ['Widget', 'widgets'],
  ])('of %s are guessed as %s', (kind, plural) => {
    expect(guessedPlural(kind)).toBe(plural);
  });

  it('are those of the definitions in the dump', () => {
    const { spec, ...rest } = definition('Widget');
    const broken = [
      { ...rest, spec: null },
      { ...rest, spec: { ...spec, names: null } },
      { ...rest, spec: { ...spec, group: 1 } },
      { ...rest, spec: { ...spec, names: { kind: 1, plural: 'x' } } },
      { ...rest, spec: { ...spec, names: { kind: 'X', plural: 1 } } },
      { ...rest, kind: 'Other', spec: { ...spec, group: 'other' } },
    ];
    expect([...definedIn([...broken, definition('Widget'), definition('Global', { scope: 'Cluster' })])]).toEqual([
      ['x.io/Widget', { group: 'x.io', kind: 'Widget', plural: 'widgets', namespaced: true, shortNames: ['s1'] }],
      ['x.io/Global', { group: 'x.io', kind: 'Global', plural: 'globals', namespaced: false, shortNames: ['s1'] }],
    ]);
    expect([
      ...definedIn([{ ...rest, spec: { ...spec, names: { kind: 'Widget', plural: 'widgets', shortNames: 'w' } } }]).values(),
    ]).toMatchObject([{ shortNames: [] }]);
  });
});

describe('established definitions', () => {
  it('define kinds, with a qualified name where another group has theirs', () => {
    const kinds = (...objects: readonly object[]) => definedKinds(objects, base).map(({ kind, groupPrefix }) => `${kind} ${groupPrefix}`);
    expect(
      kinds(
        definition('Widget', { conditions: ESTABLISHED }),
        definition('Widget', { group: 'y.io', conditions: ESTABLISHED }),
        definition('Pod', { conditions: ESTABLISHED }),
      ),
    ).toEqual(['Widget x.io.', 'Widget.y.io y.io.', 'Pod.x.io x.io.']);
    for (const conditions of [
      undefined,
      'none',
      [],
      [null],
      [{ type: 'Established', status: 'False' }],
      [{ type: 'NamesAccepted', status: 'True' }],
    ])
      expect(kinds(definition('Widget', { conditions }))).toEqual([]);
    expect(
      kinds(
        { ...definition('Widget'), status: null },
        { ...definition('Widget', { conditions: ESTABLISHED }), kind: 'Other' },
        { ...definition('Widget', { conditions: ESTABLISHED }), spec: {} },
      ),
    ).toEqual([]);
  });
});

describe('foreign kinds', () => {
  it('are served with any fields, beside those of the server', () => {
    const registry = withForeign(base, [POLICY, { ...POLICY, kind: 'Pod', plural: 'pods' }]);
    const policy = registry.byKind('Policy');
    expect([policy?.plural, policy?.namespaced, policy?.shortNames, policy?.subresources]).toEqual(['policies', true, ['pol'], []]);
    expect(registry.byPlural('x.io', 'policies')).toBe(policy);
    expect(registry.byKind('Pod')).toBe(base.byKind('Pod'));
    expect(registry.byPlural('', 'pods')).toBe(base.byPlural('', 'pods'));
    expect(registry.list().map(({ kind }) => kind)).toEqual([...base.list().map(({ kind }) => kind), 'Policy']);
    expect(policy?.schema).toMatchObject({ fields: { spec: {}, data: {}, status: {} } });
    expect(withForeign(base, [])).toBe(base);
  });

  it('have a status of its own where their objects have one, and are of the cluster where those are', () => {
    const kind = withForeign(base, [{ ...POLICY, namespaced: false, fields: ['status'] }]).byKind('Policy');
    expect([kind?.namespaced, kind?.subresources]).toEqual([false, ['status']]);
    const list = [POLICY];
    expect(foreignKinds(list)).toBe(foreignKinds(list));
    expect(foreignKinds([{ ...POLICY, version: 'no version' }])).toEqual([]);
  });

  it('of a dump are those, and the defined ones', () => {
    const registry = withDumped(base, { objects: [definition('Widget', { conditions: ESTABLISHED })], foreign: [POLICY] });
    expect(['Widget', 'Policy', 'Pod', 'Other'].map((kind) => registry.byKind(kind)?.kind)).toEqual(['Widget', 'Policy', 'Pod', undefined]);
  });
});
