/** Rules of custom resources in CEL: what a definition may say, and what objects may be. */
import { describe, expect, it } from 'vitest';
import { customKind } from '../../../src/apiserver/custom/index.ts';
import { kindsFor } from '../../../src/apiserver/kinds/index.ts';
import { namesFor } from '../../../src/apiserver/machinery/index.ts';
import { setup } from '../handlers/setup.ts';

const text = { type: 'string' };
const int = { type: 'integer' };
const rule = (cel: string, message?: string) => ({ rule: cel, ...(message === undefined ? {} : { message }) });
const SPEC = {
  type: 'object',
  required: ['min'],
  properties: {
    min: int,
    max: int,
    ratio: { type: 'number' },
    'with-dash': int,
    since: { ...text, format: 'date-time' },
    name: { ...text, 'x-kubernetes-validations': [rule('self == oldSelf', 'the name stays')] },
    labels: { type: 'object', maxProperties: 5, additionalProperties: { ...text, maxLength: 20 } },
    parts: {
      type: 'array',
      maxItems: 9,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['id'],
      items: {
        type: 'object',
        required: ['id'],
        properties: { id: { ...text, maxLength: 9 }, size: int },
        'x-kubernetes-validations': [rule('self.size < 5'), rule('self.size >= oldSelf.size', 'sizes do not shrink')],
      },
    },
  },
};
const definition = (spec: object, root: object = {}) => ({
  kind: 'CustomResourceDefinition',
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { kind: 'Widget', plural: 'widgets' },
    versions: [
      {
        name: 'v1',
        storage: true,
        served: true,
        subresources: { status: {} },
        schema: { openAPIV3Schema: { type: 'object', properties: { spec, status: { type: 'object', properties: { at: int } } }, ...root } },
      },
    ],
  },
});
const problemsOf = (spec: object, root?: object): readonly string[] => {
  const made = customKind(definition(spec, root));
  return 'problems' in made
    ? made.problems.map(({ path, message }) => `${path.replace('spec.versions[0].schema.openAPIV3Schema', '~')}: ${message}`)
    : [];
};
const withRules = (...rules: readonly string[]) => ({ ...SPEC, 'x-kubernetes-validations': rules.map((each) => rule(each)) });

function world(rules: readonly object[], root: object = {}) {
  const made = customKind(definition({ ...SPEC, 'x-kubernetes-validations': rules }, root));
  if ('problems' in made) throw new Error(JSON.stringify(made.problems));
  const { ok, refused } = setup('k8s.io', {}, { kinds: kindsFor(namesFor('k8s.io'), [made.kind]) });
  const body = (spec: object, name = 'w') => ({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name }, spec }) as never;
  const at = { kind: 'Widget', namespace: 'default' } as const;
  return {
    create: (spec: object) => ok({ verb: 'create', ...at, body: body(spec) }),
    wrong: (spec: object) => refused({ verb: 'create', ...at, body: body(spec, 'x') }).message,
    patch: (spec: object) => ok({ verb: 'patch', ...at, name: 'w', patchType: 'merge', body: { spec } }),
    wrongPatch: (patch: object, subresource?: 'status') =>
      refused({ verb: 'patch', ...at, name: 'w', patchType: 'merge', body: patch, ...(subresource === undefined ? {} : { subresource }) })
        .message,
  };
}

describe('rules of objects', () => {
  it('refuse what breaks them, with their message, or the rule itself', () => {
    const { create, wrong } = world([
      rule('!has(self.max) || self.min <= self.max', 'min is at most max'),
      rule("!has(self.labels) || self.labels.all(key, key.startsWith('a'))"),
      rule('!has(self.ratio) || self.ratio < 2.0'),
      rule('!has(self.with__dash__dash) || self.with__dash__dash > 1'),
      rule("!has(self.since) || self.since > timestamp('2020-01-01T00:00:00Z')"),
    ]);
    expect(create({ min: 1, max: 2, labels: { ab: '' }, ratio: 1, 'with-dash': 2, since: '2021-01-01T00:00:00Z' }).kind).toBe('Widget');
    expect(wrong({ min: 3, max: 2 })).toBe('Widget.example.com "x" is invalid: spec: Invalid value: "object": min is at most max');
    expect(wrong({ min: 1, labels: { b: '' } })).toContain(
      `spec: Invalid value: "object": failed rule: !has(self.labels) || self.labels.all(key, key.startsWith('a'))`,
    );
    for (const spec of [{ ratio: 2 }, { 'with-dash': 1 }, { since: '2019-01-01T00:00:00Z' }])
      expect(wrong({ min: 1, ...spec })).toContain('failed rule');
    expect(
      wrong({
        min: 1,
        parts: [
          { id: 'a', size: 9 },
          { id: 'b', size: 1 },
        ],
      }),
    ).toContain('spec.parts[0]: Invalid value: "object": failed rule: self.size < 5');
  });

  it('compare with the former value: of a field, and of the item with the same keys', () => {
    const { create, patch, wrongPatch } = world([]);
    create({
      min: 1,
      name: 'one',
      parts: [
        { id: 'a', size: 1 },
        { id: 'b', size: 3 },
      ],
    });
    expect(wrongPatch({ spec: { name: 'two' } })).toContain('spec.name: Invalid value: "string": the name stays');
    expect(
      patch({
        parts: [
          { id: 'b', size: 3 },
          { id: 'c', size: 0 },
        ],
      }).metadata.generation,
    ).toBe(2);
    expect(
      wrongPatch({
        spec: {
          parts: [
            { id: 'c', size: 0 },
            { id: 'b', size: 2 },
          ],
        },
      }),
    ).toBe('Widget.example.com "w" is invalid: spec.parts[1]: Invalid value: "object": sizes do not shrink');
  });

  it('of the root see the name, and hold for writes of the status', () => {
    const { create, wrong, wrongPatch } = world([], {
      'x-kubernetes-validations': [
        rule("self.metadata.name == 'w'", 'only w'),
        rule('!has(self.status) || self.status.at < 3', 'too late'),
      ],
    });
    create({ min: 1 });
    expect(wrong({ min: 1 })).toBe('Widget.example.com "x" is invalid: <nil>: Invalid value: "object": only w');
    expect(wrongPatch({ status: { at: 3 } }, 'status')).toContain('<nil>: Invalid value: "object": too late');
  });

  it('are not run on what is wrong otherwise, and errors of theirs say the rule', () => {
    const { wrong } = world([rule('self.max / self.min > 0'), rule("self.labels['none'] == ''")]);
    expect(wrong({ max: 1 })).toBe(
      'Widget.example.com "x" is invalid: [spec.min: Required value, <nil>: Invalid value: "null": some validation rules were not checked because the object was invalid; correct the existing errors to complete validation]',
    );
    expect(wrong({ min: 0, max: 1, labels: {} })).toContain('division by zero evaluating rule: self.max / self.min > 0');
    expect(wrong({ min: 1, max: 1, labels: {} })).toContain(`no such key: none evaluating rule: self.labels['none'] == ''`);
  });

  const ints = { type: 'array', maxItems: 1000, items: int };
  const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at);
  it.each<readonly [string, object]>([
    ['self.list.all(a, self.list.all(b, a + b > -1))', { list: numbers(1000) }],
    // Lists of one item: what the item contains counts too.
    ['self.list.all(a, self.one == self.other)', { list: numbers(1000), one: [numbers(1000)], other: [numbers(1000)] }],
    ["self.text.findAll('(a.*c)|a').size() > 0", { text: 'a'.repeat(100_000) }],
    ["self.text.replace('a', self.text).size() > 0", { text: 'a'.repeat(100_000) }],
  ])('stop at a budget that is the same on every host: %s', (cel, spec) => {
    const nested = { type: 'array', maxItems: 1, items: ints };
    const properties = { list: ints, one: nested, other: nested, text };
    const heavy = customKind(definition({ type: 'object', properties, 'x-kubernetes-validations': [rule(cel)] }));
    if ('problems' in heavy) throw new Error(JSON.stringify(heavy.problems));
    const { refused } = setup('k8s.io', {}, { kinds: kindsFor(namesFor('k8s.io'), [heavy.kind]) });
    const body = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' }, spec } as never;
    expect(refused({ verb: 'create', kind: 'Widget', namespace: 'default', body }).message).toBe(
      `Widget.example.com "w" is invalid: spec: Invalid value: "object": no further validation rules will be run due to call cost exceeds limit for rule: ${cel}`,
    );
  });
});

describe('rules of definitions', () => {
  it('are checked by the types of the schema, with line and column, and the nearest name', () => {
    expect(problemsOf(withRules('self.min > 0', 'self.minn > 0'))).toEqual([
      `~.properties[spec].x-kubernetes-validations[1].rule: Invalid value: apiextensions.ValidationRule{Rule:"self.minn > 0", Message:""}: compilation failed: ERROR: <input>:1:6: undefined field 'minn' (did you mean min?)\n | self.minn > 0\n | .....^`,
    ]);
    expect(problemsOf(withRules('self.min > "a"')).join()).toContain('no such overload: int > string');
    expect(problemsOf(withRules('self.min +')).join()).toContain('compilation failed: ERROR: <input>:1:11: Unexpected token: EOF');
    expect(problemsOf(withRules('self.min')).join()).toContain('cel expression must evaluate to a bool');
    expect(problemsOf(withRules('object.min > 0')).join()).toContain(`undeclared reference to 'object' (in container '')`);
    expect(problemsOf(withRules('self.parts.all(part, part.id.size() > 0 && part.sizes > 0)')).join()).toContain(`undefined field 'sizes'`);
    expect(problemsOf(withRules('self.parts == oldSelf.parts && self.parts[0] == oldSelf.parts[0] && has(self.since)'))).toEqual([]);
    expect(problemsOf(withRules('self.__proto__ == 1', 'self.constructor == 1'))).toHaveLength(2);
  });

  it('cannot compare items that have no former value, nor cost more than a request may', () => {
    const parts = {
      type: 'array',
      items: { type: 'object', properties: { id: text }, 'x-kubernetes-validations': [rule('self.id == oldSelf.id')] },
    };
    expect(problemsOf({ type: 'object', properties: { parts } })).toContain(
      '~.properties[spec].properties[parts].items.x-kubernetes-validations[0].rule: Invalid value: apiextensions.ValidationRule{Rule:"self.id == oldSelf.id", Message:""}: oldSelf cannot be used on the uncorrelatable portion of the schema within properties[spec].properties[parts]',
    );
    const list = { type: 'array', items: text };
    const twice = (more: object) => ({
      type: 'object',
      properties: { list: { ...list, ...more } },
      'x-kubernetes-validations': [rule('self.list.all(a, self.list.exists(b, a == b))')],
    });
    expect(problemsOf(twice({})).join()).toContain(
      'estimated rule cost exceeds budget by factor of more than 100x (try simplifying the rule',
    );
    expect(problemsOf(twice({ maxItems: 50, items: { ...text, maxLength: 60 } }))).toEqual([]);
  });
});
