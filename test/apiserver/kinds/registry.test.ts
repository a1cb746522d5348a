import { describe, expect, it } from 'vitest';
import { decode, int32, obj, oneOf, type Schema, str, filled } from '../../../src/schema/shape/index.ts';
import { kindsFor } from '../../../src/apiserver/kinds/index.ts';
import { type Domain, type Kind, namesFor } from '../../../src/apiserver/machinery/index.ts';

const DOMAINS: readonly Domain[] = ['k8s.io', 'orch.io'];

describe.each(DOMAINS)('the kinds of %s', (domain) => {
  const registry = kindsFor(namesFor(domain));

  it('are the same object on every call', () => {
    expect(kindsFor(namesFor(domain))).toBe(registry);
  });

  it('are found by kind and by group and plural, and by no other name', () => {
    for (const kind of registry.list()) {
      expect(registry.byKind(kind.kind)).toBe(kind);
      expect(registry.byPlural(namesFor(domain).group(kind.groupPrefix), kind.plural)).toBe(kind);
    }
    expect(registry.byKind('__proto__')).toBeUndefined();
    expect(registry.byPlural('', 'constructor')).toBeUndefined();
  });

  it('have unique names', () => {
    const all = registry
      .list()
      .flatMap(({ kind, plural, shortNames }) => [kind, plural, ...shortNames])
      .filter((name) => name !== 'Endpoints');
    expect(all.filter((name, at) => all.indexOf(name) < at)).toEqual([]);
  });

  it.each(registry.list().map((kind) => [kind.kind, kind] as const))('%s decodes an empty object, idempotently', (_, kind) => {
    const made = decode(kind.schema, {});
    expect(decode(kind.schema, made)).toBe(made);
    expect(kind.models).not.toBe('');
    expect(kind.columns[0]?.name).toMatch(/^(Name|Last Seen)$/);
  });
});

/** What a kind says of itself and does not. */
const missingParts = ({ kind = '', schema }: Partial<Kind>): readonly string[] => [
  ...(schema?.about === undefined ? [`${kind}: its schema does not say what a ${kind} is`] : []),
  ...Object.keys(schema?.fields ?? {})
    .filter((name) => name !== 'kind' && name !== 'apiVersion' && schema?.fields[name]?.wire === undefined)
    .map((name) => `${kind}: ${name} has no wire number`),
];

/** The fields whose default is not among the values that they allow. */
function strayDefaults(at: string, schema: Schema): readonly string[] {
  if (schema.type === 'list') return strayDefaults(`${at}[]`, schema.items);
  if (schema.type === 'map') return strayDefaults(`${at}{}`, schema.values);
  if (schema.type === 'object') return Object.entries(schema.fields).flatMap(([name, field]) => strayDefaults(`${at}.${name}`, field));
  const { oneOf: allowed, default: made } = schema;
  return allowed === undefined || made === undefined || allowed.includes(String(made)) ? [] : [`${at}: ${String(made)}`];
}

describe('a kind', () => {
  const kinds = kindsFor(namesFor('orch.io')).list();

  it('says all of itself', () => {
    expect(kinds.flatMap(missingParts)).toEqual([]);
  });

  it('has no default that is not among the allowed values of its field', () => {
    expect(kinds.flatMap(({ kind, schema }) => strayDefaults(kind, schema))).toEqual([]);
    expect(strayDefaults('A', obj('A', { b: oneOf(filled(str(), 'x'), ['y']) }))).toEqual(['A.b: x']);
  });

  it('is named with what it lacks', () => {
    expect(missingParts({ kind: 'Job', schema: obj('Job', { spec: int32 }) })).toEqual([
      'Job: its schema does not say what a Job is',
      'Job: spec has no wire number',
    ]);
  });
});

describe('the neutral domain', () => {
  it('carries no brand in fields, groups or texts', () => {
    const registry = kindsFor(namesFor('orch.io'));
    const words = JSON.stringify(
      registry.list().map((kind) => [kind.kind, kind.plural, kind.schema, kind.columns, namesFor('orch.io').group(kind.groupPrefix)]),
      // Gates have the same names in both domains.
      (key, value: unknown) => (key === 'since' ? undefined : value),
    );
    expect(words.match(/kube|k8s/gi)).toBeNull();
  });
});
