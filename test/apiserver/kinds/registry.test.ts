import { describe, expect, it } from 'vitest';
import { decode, int32, obj, oneOf, type Schema, str, filled } from '../../../src/schema/shape/index.ts';
import { inVersion, kindInGroup, kindsFor, readPod, registryWith, servedVersions } from '../../../src/apiserver/kinds/index.ts';
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

describe('kinds beside those of every server', () => {
  const names = namesFor('k8s.io');
  const base = kindsFor(names);
  const like = (more: Partial<Kind>): Kind => ({ ...(base.byKind('ConfigMap') as Kind), ...more });
  const [own, other] = [like({ kind: 'Own', plural: 'owns', groupPrefix: 'x.io' }), like({ kind: 'Other', plural: 'others' })];

  it('follow them in their order, in a registry that is the same for the same kinds', () => {
    const both = registryWith(base, [own, other]);
    expect(both.list()).toEqual([...base.list(), own, other]);
    expect([both.byKind('Own'), both.byPlural('', 'others'), both.byKind('Pod')]).toEqual([own, other, base.byKind('Pod')]);
    expect(registryWith(base, [own, other])).toBe(both);
    expect(registryWith(base, [])).toBe(base);
    // A kind has one registry at a time.
    expect(registryWith(base, [other]).list()).toEqual([...base.list(), other]);
    expect(registryWith(base, [own, other]).list()).toEqual(both.list());
    expect([both.now(), both.apiVersionOf(other)]).toEqual([both, 'v1']);
  });

  it('may be defined by the names of the domain, once', () => {
    const list = [own, (given: typeof names) => like({ kind: 'Named', plural: given.key('', 'named') })];
    const found = kindsFor(names, list);
    expect(found.list().slice(-2)).toMatchObject([{ kind: 'Own' }, { kind: 'Named', plural: 'kubernetes.io/named' }]);
    expect(kindsFor(names, list)).toBe(found);
    expect(kindsFor(namesFor('orch.io'), list).byKind('Named')?.plural).toBe('orch.io/named');
  });

  it('are found in their group by a name that another group has, too', () => {
    const taken = like({ kind: 'Pod.x.io', plural: 'pods', groupPrefix: 'x.io' });
    const all = registryWith(base, [taken]);
    const group = names.group('x.io');
    expect(['', group, 'y.io'].map((of) => kindInGroup(all, of, 'Pod'))).toEqual([
      base.byKind('Pod'),
      base.byKind(`Pod.${group}`),
      undefined,
    ]);
    expect(kindInGroup(registryWith(base, [{ ...taken, kind: `Pod.${group}` }]), group, 'Pod')?.plural).toBe('pods');
  });

  it('are served in their versions, the preferred first', () => {
    const [first, second] = [like({ version: 'v2' }), like({ version: 'v1' })];
    const several = like({
      version: 'v2',
      versions: new Map([
        ['v2', first],
        ['v1', second],
      ]),
    });
    expect([servedVersions(several), servedVersions(own)]).toEqual([[first, second], [own]]);
    expect(['v2', 'v1', 'v3'].map((version) => inVersion(several, version))).toEqual([first, second, undefined]);
    expect([inVersion(own, 'v1'), inVersion(own, 'v2'), inVersion(undefined, 'v1')]).toEqual([own, undefined, undefined]);
  });
});

it('a pod from a file has the defaults of its kind; what is none is none', () => {
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec: { containers: [{ name: 'c' }] } };
  expect(readPod(pod)).toMatchObject({
    ...pod,
    spec: { restartPolicy: 'Always', containers: [{ name: 'c' }] },
    status: { phase: 'Pending' },
  });
  expect(readPod({ ...pod, status: { phase: 'Running' } })?.status.phase).toBe('Running');
  expect(readPod({ ...pod, spec: { containers: 'x' } })).toBeUndefined();
});
