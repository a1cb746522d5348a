/** The names of definitions of one group: who has them, who does not, and what the conditions say of it. */
import { describe, expect, it } from 'vitest';
import type { ObjectInput } from '../../../src/apiserver/machinery/index.ts';
import { setup } from '../handlers/setup.ts';

interface Names {
  readonly plural: string;
  readonly kind: string;
  readonly singular?: string;
  readonly listKind?: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
}
interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

const definition = (names: Names, group: string): ObjectInput => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${names.plural}.${group}` },
  spec: {
    group,
    scope: 'Namespaced',
    names,
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
});

const KIND = 'CustomResourceDefinition';
const FIRST: Names = { plural: 'tests', kind: 'Test', shortNames: ['t', 'ts'], categories: ['all'] };

/** The conditions and the accepted names of the last of these definitions, which are created one after the other. */
function settled(...all: readonly (readonly [names: Names, group?: string])[]) {
  const { ok } = setup();
  for (const [names, group = 'example.com'] of all) ok({ verb: 'create', kind: KIND, body: definition(names, group) });
  const [{ plural }, group = 'example.com'] = all.at(-1) ?? [FIRST];
  const { conditions, acceptedNames } = ok({ verb: 'get', kind: KIND, name: `${plural}.${group}` })['status'] as {
    readonly conditions: readonly Condition[];
    readonly acceptedNames: object;
  };
  return { conditions: conditions.map(({ type, status, reason, message }) => `${type} ${status} ${reason}: ${message}`), acceptedNames };
}

const ESTABLISHED = 'Established True InitialNamesAccepted: the initial names have been accepted';
const NO_CONFLICTS = 'NamesAccepted True NoConflicts: no conflicts found';
const NOT_ACCEPTED = 'Established False NotAccepted: not all names are accepted';

describe('a definition', () => {
  const all = { ...FIRST, singular: 'test', listKind: 'TestList' };
  it('has its names where these are free', () => {
    expect(settled([FIRST])).toEqual({ conditions: [NO_CONFLICTS, ESTABLISHED], acceptedNames: all });
  });

  it('has them beside those of another group', () => {
    expect(settled([FIRST], [FIRST, 'example.org'])).toEqual({ conditions: [NO_CONFLICTS, ESTABLISHED], acceptedNames: all });
  });

  it.each<[what: string, names: Names, condition: string, missing: readonly string[]]>([
    ['a plural that is a short name', { plural: 'ts', kind: 'Other' }, 'PluralConflict: "ts" is already in use', ['plural']],
    [
      'a singular that is a plural',
      { plural: 'others', kind: 'Other', singular: 'tests' },
      'SingularConflict: "tests" is already in use',
      ['singular'],
    ],
    [
      'a short name',
      { plural: 'others', kind: 'Other', shortNames: ['o', 't'] },
      'ShortNamesConflict: "t" is already in use',
      ['shortNames'],
    ],
    [
      'two short names',
      { plural: 'others', kind: 'Other', shortNames: ['ts', 'test'] },
      'ShortNamesConflict: ["ts" is already in use, "test" is already in use]',
      ['shortNames'],
    ],
    [
      'a kind',
      { plural: 'others', kind: 'Test', listKind: 'OtherList', singular: 'other' },
      'KindConflict: "Test" is already in use',
      ['kind'],
    ],
    ['a kind that is one of lists', { plural: 'others', kind: 'TestList' }, 'KindConflict: "TestList" is already in use', ['kind']],
    ['a kind of lists', { plural: 'others', kind: 'Other', listKind: 'Test' }, 'ListKindConflict: "Test" is already in use', ['listKind']],
    // The last conflict is named.
    [
      'several',
      { plural: 'others', kind: 'Test', singular: 'test' },
      'ListKindConflict: "TestList" is already in use',
      ['singular', 'kind', 'listKind'],
    ],
  ])('does not have the names of another one: %s', (_, names, condition, missing) => {
    const { conditions, acceptedNames } = settled([FIRST], [names]);
    expect(conditions).toEqual([`NamesAccepted False ${condition}`, NOT_ACCEPTED]);
    const asked = { singular: names.kind.toLowerCase(), listKind: `${names.kind}List`, ...names };
    expect(acceptedNames).toEqual(Object.fromEntries(Object.entries(asked).filter(([name]) => !missing.includes(name))));
  });

  it('gets them when they become free', () => {
    const { ok } = setup();
    ok({ verb: 'create', kind: KIND, body: definition(FIRST, 'example.com') });
    const other: Names = { plural: 'others', kind: 'Test', singular: 'other', listKind: 'OtherList' };
    ok({ verb: 'create', kind: KIND, body: definition(other, 'example.com') });
    const get = () => ok({ verb: 'get', kind: KIND, name: 'others.example.com' });
    const body = { ...get(), spec: { ...(get()['spec'] as object), names: { ...other, kind: 'Another' } } } as unknown as ObjectInput;
    ok({ verb: 'update', kind: KIND, name: 'others.example.com', body });
    const { conditions, acceptedNames } = get()['status'] as { readonly conditions: readonly Condition[]; readonly acceptedNames: object };
    expect(conditions.map(({ type, status }) => `${type} ${status}`)).toEqual(['NamesAccepted True', 'Established True']);
    expect(acceptedNames).toEqual({ ...other, kind: 'Another' });
  });

  it('keeps its scope and kind once it is served, and its group and plural always', () => {
    const { ok, refused } = setup();
    ok({ verb: 'create', kind: KIND, body: definition(FIRST, 'example.com') });
    const made = ok({ verb: 'get', kind: KIND, name: 'tests.example.com' });
    const spec = made['spec'] as { readonly names: object };
    const changed = { ...spec, scope: 'Cluster', group: 'example.org', names: { ...spec.names, kind: 'Else', plural: 'tests2' } };
    const { details } = refused({
      verb: 'update',
      kind: KIND,
      name: 'tests.example.com',
      body: { ...made, spec: changed } as unknown as ObjectInput,
    });
    expect(details?.causes?.map(({ field, message }) => `${field}: ${message}`)).toEqual([
      'metadata.name: Invalid value: "tests.example.com": must be spec.names.plural+"."+spec.group',
      'spec.scope: Invalid value: "Cluster": field is immutable',
      'spec.names.kind: Invalid value: "Else": field is immutable',
      'spec.group: Invalid value: "example.org": field is immutable',
      'spec.names.plural: Invalid value: "tests2": field is immutable',
    ]);
  });

  it('remembers the versions in which objects were stored', () => {
    const { ok, refused } = setup();
    ok({ verb: 'create', kind: KIND, body: definition(FIRST, 'example.com') });
    const name = 'tests.example.com';
    const get = () => ok({ verb: 'get', kind: KIND, name });
    const withVersions = (...versions: readonly (readonly [name: string, storage: boolean])[]) => {
      const made = get();
      const [first] = (made['spec'] as { readonly versions: readonly object[] }).versions;
      return {
        ...made,
        spec: { ...(made['spec'] as object), versions: versions.map(([each, storage]) => ({ ...first, name: each, storage })) },
      } as unknown as ObjectInput;
    };
    const stored = () => (get()['status'] as { readonly storedVersions: unknown }).storedVersions;
    ok({ verb: 'update', kind: KIND, name, body: withVersions(['v1', false], ['v2', true]) });
    expect(stored()).toEqual(['v1', 'v2']);
    const causes = (body: ObjectInput, subresource?: string) =>
      refused({ verb: 'update', kind: KIND, name, body, ...(subresource === undefined ? {} : { subresource }) }).details?.causes?.map(
        ({ field, message }) => `${field}: ${message}`,
      );
    expect(causes(withVersions(['v2', true]))).toEqual(['status.storedVersions[0]: Invalid value: "v1": must appear in spec.versions']);
    const status = { ...(get()['status'] as object), storedVersions: ['v1'] };
    expect(causes({ ...get(), status }, 'status')).toEqual([
      'status.storedVersions: Invalid value: []string{"v1"}: must have the storage version v2',
    ]);
  });
});
