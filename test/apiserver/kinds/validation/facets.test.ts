/** What is valid of a value by the facets of its schema, in upstream's words and order. */
import { describe, expect, it } from 'vitest';
import { facetErrors } from '../../../../src/apiserver/machinery/index.ts';
import { any, int32, list, obj, str } from '../../../../src/schema/shape/build.ts';
import type { Facets, Format, Schema } from '../../../../src/schema/shape/index.ts';
import { LABEL, line, NAME_PART, SUBDOMAIN } from './causes.ts';

const withFacets = <S extends Schema>(schema: S, facets: Facets): S => ({ ...schema, ...facets });
const errors = (schema: Schema, value: unknown, ...members: readonly string[]): readonly string[] =>
  facetErrors(schema, value, 'at', ...members).map(line);

describe('a format', () => {
  const of = (format: Format, value: unknown) => errors(withFacets(any, { format }), value);

  it.each([
    ['label', 'a-1'],
    ['label-1035', 'a-1'],
    ['subdomain', 'a.b'],
    ['subdomain prefix', 'a.b-'],
    ['host name', 'a.b'],
    ['host name', '*.b'],
    ['path segment', 'a b'],
    ['qualified name', 'a.b/C'],
    ['label name', 'C'],
    ['label value', 'A.b'],
    ['environment name', 'A.b-C_1'],
    ['config map key', 'a.B'],
    ['header name', 'X-1'],
    ['port name', 'http'],
    ['ip', '::1'],
    ['reachable ip', '10.0.0.1'],
    ['address', '1.2.3.4'],
    ['sysctl', 'a.b/c_d'],
    ['topology key', 'a.b/C'],
    ['port', 65535],
    ['port or port name', 1],
    ['port or port name', 'http'],
    ['labels', { a: 'b' }],
    ['label selector', { matchLabels: { a: 'b' } }],
    ['no backsteps', '/a..b'],
    ['descending path', 'a/b'],
    ['file path', '..'.slice(1)],
    ['share', 0],
    ['share', '300%'],
    ['share of all', '100%'],
    ['share of all', 300],
    ['driver', 'A.b'],
  ] as readonly (readonly [Format, unknown])[])('%s accepts %j', (format, value) => {
    expect(of(format, value)).toEqual([]);
  });

  it('refuses what is none', () => {
    expect(
      [
        of('label', 'a.b'),
        of('label-1035', '1'),
        of('subdomain', 'A'),
        of('subdomain prefix', 'A-'),
        of('host name', 'a*.b'),
        of('host name', 'A'),
        of('path segment', '..'),
        of('qualified name', 'a/b/c'),
        of('label name', ''),
        of('label value', 'a b'),
        of('environment name', '1'),
        of('config map key', 'a/b'),
        of('header name', 'a b'),
        of('port name', '80'),
        of('ip', 'x'),
        of('reachable ip', 'x'),
        of('reachable ip', '127.0.0.1'),
        of('address', 'x'),
        of('sysctl', 'A'),
        of('topology key', ''),
        of('port', 0),
        of('port or port name', 65536),
        of('port or port name', 'A'),
        of('labels', { 'a b': '' }),
        of('label selector', { matchExpressions: [{ key: 'a', operator: 'In' }] }),
        of('no backsteps', 'a/..'),
        of('descending path', '/a/..'),
        of('file path', '..a'),
        of('file path', '../a'),
        of('share', -1),
        of('share', '5'),
        of('share of all', '101%'),
        of('share of all', '-1%'),
        of('driver', ''),
        of('driver', 'a'.repeat(64)),
      ].flat(),
    ).toEqual([
      `at Invalid "a.b" ${LABEL}`,
      "at Invalid \"1\" a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
      `at Invalid "A" ${SUBDOMAIN}`,
      "at Invalid \"a*.b\" a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character (e.g. '*.example.com', regex used for validation is '\\*\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      `at Invalid "A" ${SUBDOMAIN}`,
      'at Invalid ".." may not be \'..\'',
      "at Invalid \"a/b/c\" a qualified name must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')",
      'at Invalid "" name part must be non-empty',
      `at Invalid "" ${NAME_PART}`,
      "at Invalid \"a b\" a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
      "at Invalid \"1\" a valid environment variable name must consist of alphabetic characters, digits, '_', '-', or '.', and must not start with a digit (e.g. 'my.env-name',  or 'MY_ENV.NAME',  or 'MyEnvName1', regex used for validation is '[-._a-zA-Z][-._a-zA-Z0-9]*')",
      "at Invalid \"a/b\" a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')",
      "at Invalid \"a b\" a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')",
      'at Invalid "80" must contain at least one letter or number (a-z, 0-9)',
      'at Invalid "x" must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
      'at Invalid "x" must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
      'at Invalid "127.0.0.1" may not be in the loopback range (127.0.0.0/8, ::1/128)',
      'at Invalid "x" must be valid IP address',
      'at Invalid "A" must have at most 253 characters and match regex ^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$',
      'at Required - can not be empty',
      'at Invalid "" name part must be non-empty',
      `at Invalid "" ${NAME_PART}`,
      'at Invalid 0 must be between 1 and 65535, inclusive',
      'at Invalid 65536 must be between 1 and 65535, inclusive',
      'at Invalid "A" must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)',
      'at Invalid "A" must contain at least one letter or number (a-z, 0-9)',
      `at Invalid "a b" ${NAME_PART}`,
      "at.matchExpressions[0].values Required - must be specified when `operator` is 'In' or 'NotIn'",
      'at Invalid "a/.." must not contain \'..\'',
      'at Invalid "/a/.." must be a relative path',
      'at Invalid "/a/.." must not contain \'..\'',
      'at Invalid "..a" must not start with \'..\'',
      'at Invalid "../a" must not contain \'..\'',
      'at Invalid -1 must be greater than or equal to 0',
      "at Invalid {\"text\":\"intstr.IntOrString{Type:1, IntVal:0, StrVal:\\\"5\\\"}\"} a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')",
      'at Invalid {"text":"intstr.IntOrString{Type:1, IntVal:0, StrVal:\\"101%\\"}"} must not be greater than 100%',
      "at Invalid {\"text\":\"intstr.IntOrString{Type:1, IntVal:0, StrVal:\\\"-1%\\\"}\"} a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')",
      'at Required - ',
      `at Invalid "" ${SUBDOMAIN}`,
      'at TooLong "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" must have at most 63 bytes',
    ]);
  });
});

describe('a bound', () => {
  it('is a number, with words of its own or not', () => {
    const within = (facets: Facets) => [0, 1, 2, 5, 6].flatMap((value) => errors(withFacets(int32, facets), value));
    expect([
      within({ min: 1, max: 5 }),
      within({ min: [1, 'is low'], max: [5, 'is high'] }),
      within({ min: 1, max: 5, words: 'is out' }),
      within({ min: [2, 'low'], words: 'is out' }),
      within({ max: 1, words: 'is out' }),
      within({}),
    ]).toEqual([
      ['at Invalid 0 must be greater than or equal to 1', 'at Invalid 6 must be less than or equal to 5'],
      ['at Invalid 0 is low', 'at Invalid 6 is high'],
      ['at Invalid 0 is out', 'at Invalid 6 is out'],
      ['at Invalid 0 is out', 'at Invalid 1 is out'],
      ['at Invalid 2 is out', 'at Invalid 5 is out', 'at Invalid 6 is out'],
      [],
    ]);
  });

  it('of a list is about each item, under the name of the list', () => {
    const short = withFacets(list(str()), { longest: 2 });
    expect([errors(short, ['ab', 'abc', 'abcd']), errors(withFacets(str(), { longest: 2 }), 'abc')]).toEqual([
      ['at Invalid "" can have at most 2 characters', 'at Invalid "" can have at most 2 characters'],
      ['at Invalid "" can have at most 2 characters'],
    ]);
    expect(errors(withFacets(list(str()), { among: ['a', 'b'] }), ['a', 'c'])).toEqual(['at NotSupported "c" supported values: "a", "b"']);
    expect(errors(withFacets(list(withFacets(str(), { format: 'label' })), {}), ['a', 'B', 'c', 'D'])).toEqual([
      `at[1] Invalid "B" ${LABEL}`,
      `at[3] Invalid "D" ${LABEL}`,
    ]);
    expect(errors(withFacets(list(withFacets(str(), { format: 'label' })), { unindexed: true }), ['a', 'B'])).toEqual([
      `at Invalid "B" ${LABEL}`,
    ]);
  });
});

describe('a closed set', () => {
  it('has words of its own or lists its values', () => {
    const of = (facets: Facets, value: unknown) => errors(withFacets(str(), { among: ['a', 'b'], ...facets }), value);
    expect([
      of({}, 'a'),
      of({}, 'c'),
      of({ words: 'must be a or b' }, 'c'),
      of({}, ''),
      of({ empty: true }, ''),
      of({}, undefined),
    ]).toEqual([
      [],
      ['at NotSupported "c" supported values: "a", "b"'],
      ['at Invalid "c" must be a or b'],
      ['at NotSupported "" supported values: "a", "b"'],
      [],
      [],
    ]);
  });
});

describe('a needed value', () => {
  it('is there, and not empty', () => {
    const of = (facets: Facets, ...values: readonly unknown[]) => values.map((value) => errors(withFacets(any, facets), value));
    expect(of({ needed: true }, undefined, null, '', 0, [], 'a', 1, ['a'], {}, false)).toEqual([
      ['at Required - '],
      ['at Required - '],
      ['at Required - '],
      ['at Required - '],
      ['at Required - '],
      [],
      [],
      [],
      [],
      [],
    ]);
    expect(of({ needed: 'say it', format: 'label' }, '', 'A')).toEqual([['at Required - say it'], [`at Invalid "A" ${LABEL}`]]);
    expect(of({ zero: true, format: 'label' }, undefined, 'a')).toEqual([[`at Invalid "" ${LABEL}`], []]);
  });
});

describe('distinct items', () => {
  it('are said to repeat, all or only the valid ones', () => {
    const of = (distinct: true | 'if valid', ...values: readonly unknown[]) =>
      errors(list(withFacets(str(), { distinct, format: 'label' })), values);
    expect([of(true, 'a', 'b', 'a', 'a', 'B', 'B'), of('if valid', 'a', 'b', 'a', 'a', 'B', 'B'), of(true, undefined, undefined)]).toEqual([
      ['at[2] Duplicate "a" ', 'at[3] Duplicate "a" ', `at[4] Invalid "B" ${LABEL}`, `at[5] Invalid "B" ${LABEL}`, 'at[5] Duplicate "B" '],
      ['at[2] Duplicate "a" ', 'at[3] Duplicate "a" ', `at[4] Invalid "B" ${LABEL}`, `at[5] Invalid "B" ${LABEL}`],
      [],
    ]);
    expect(errors(withFacets(str(), { distinct: true }), 'a')).toEqual([]);
    const named = list(obj('N', { name: withFacets(str(), { distinct: true }) }));
    expect(errors(named, [{ name: 'a' }, {}, { name: 'a' }, {}])).toEqual(['at[2].name Duplicate "a" ']);
  });
});
