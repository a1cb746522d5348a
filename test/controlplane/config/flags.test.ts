/** The texts of flags and the values of files, by the type of the setting, as pflag and the decoders of upstream read them. */
import { describe, expect, it } from 'vitest';
import { type FlagSpec, readFlags } from '../../../src/controlplane/config/flags.ts';
import { assemble, group, isZero, readValue, setting, settingsOf, withFlags } from '../../../src/controlplane/config/settings.ts';

const SPECS: ReadonlyMap<string, FlagSpec> = new Map(
  Object.entries({
    name: setting('string', '', 'x'),
    on: setting('bool', false, 'x'),
    small: setting('int32', 0, 'x'),
    large: setting('int64', 0, 'x'),
    rate: setting('float', 0, 'x'),
    address: setting('ip', '', 'x'),
    'blank-address': setting('ip', '', 'x', { flagMayBeBlank: true }),
    wait: setting('duration', '0s', 'x'),
    words: setting('strings', [], 'x'),
    pairs: setting('stringMap', {}, 'x'),
    limits: setting('stringMap', {}, 'x', { flagSyntax: 'langle' }),
    labels: setting('stringMap', {}, 'x', { flagSyntax: 'csv' }),
    gates: setting('boolMap', {}, 'x'),
    headers: setting('listMap', {}, 'x'),
    taints: setting('taints', [], 'x'),
    certs: setting('certKeys', [], 'x'),
    help: setting('bool', false, 'x'),
  }),
);
/** The values of flags by name; or the errors. */
function read(...args: readonly string[]): unknown {
  const { values, errors, positional } = readFlags(args, SPECS);
  if (errors.length > 0) return errors.map(({ flag, message }) => [flag, message]);
  return { ...Object.fromEntries(values), ...(positional.length === 0 ? {} : { positional }) };
}

describe('arguments', () => {
  it.each<readonly [readonly string[], unknown]>([
    [[], {}],
    [['--name=a=b', '--on'], { name: 'a=b', on: true }],
    [['--name', '--on', '--small', '-3'], { name: '--on', small: -3 }],
    [['--blank_address='], { 'blank-address': '' }],
    [['-h'], { help: true }],
    [['a', '-', '--on', '--', '--name', 'b'], { on: true, positional: ['a', '-', '--name', 'b'] }],
    [['--on', 'false'], { on: true, positional: ['false'] }],
    [['--name=a', '--name=b', '--name='], { name: '' }],
    [
      ['-x', '-on'],
      [
        ['-x', "unknown shorthand flag: 'x' in -x"],
        ['-on', "unknown shorthand flag: 'o' in -on"],
      ],
    ],
    [['--nam=1'], [['--nam', 'unknown flag: --nam; did you mean "--name"?']]],
    [
      ['--other=1', '--on=x'],
      [
        ['--other', 'unknown flag: --other'],
        ['--on', 'invalid argument "x" for "--on" flag: strconv.ParseBool: parsing "x": invalid syntax'],
      ],
    ],
    [
      ['--other', '1', '--more', '--on'],
      [
        ['--other', 'unknown flag: --other'],
        ['--more', 'unknown flag: --more'],
      ],
    ],
    [['--other=1', '1'], [['--other', 'unknown flag: --other']]],
    [['--on', '--name'], [['--name', 'flag needs an argument: --name']]],
  ])('%j are read', (args, expected) => {
    expect(read(...args)).toEqual(expected);
  });
});

describe('the text of a flag', () => {
  const wrong = (flag: string, text: string, why: string) => [
    [`--${flag}`, `invalid argument ${JSON.stringify(text)} for "--${flag}" flag: ${why}`],
  ];

  it.each<readonly [string, string, unknown]>([
    ...['1', 't', 'T', 'TRUE', 'true', 'True'].map((text) => ['on', text, true] as const),
    ...['0', 'f', 'F', 'FALSE', 'false', 'False'].map((text) => ['on', text, false] as const),
    ['small', '2147483647', 2_147_483_647],
    ['small', '-2147483648', -2_147_483_648],
    ['large', '2147483648', 2_147_483_648],
    ['rate', '2.5', 2.5],
    ['rate', '-1e3', -1000],
    ['address', ' 10.0.0.1 ', '10.0.0.1'],
    ['address', '::', '::'],
    ['wait', '90s', '1m30s'],
    ['words', '', []],
    ['words', 'a,,b', ['a', '', 'b']],
    ['pairs', 'a=1, b = 2 ,,c==', { a: '1', b: '2', c: '=' }],
    ['limits', 'memory.available<1Gi,nodefs<5%', { 'memory.available': '1Gi', nodefs: '5%' }],
    ['labels', 'a=1,2', { a: '1,2' }],
    ['labels', '"a=1"', { a: '1' }],
    ['labels', 'a=1,b=2', { a: '1', b: '2' }],
    ['labels', '"a=1,2","b=say ""x"""', { a: '1,2', b: 'say "x"' }],
    ['gates', 'A=true,B=0', { A: true, B: false }],
    ['headers', 'X:a,Y:b:c,X:d', { X: ['a', 'd'], Y: ['b:c'] }],
    [
      'taints',
      'k=v:NoSchedule,l:NoExecute,,m=:PreferNoSchedule',
      [
        { key: 'k', value: 'v', effect: 'NoSchedule' },
        { key: 'l', effect: 'NoExecute' },
        { key: 'm', effect: 'PreferNoSchedule' },
      ],
    ],
    ['certs', ' a.crt , a.key ', [{ certFile: 'a.crt', keyFile: 'a.key', names: [] }]],
    ['certs', 'a.crt,a.key:*.example.com, ::1 ', [{ certFile: 'a.crt', keyFile: 'a.key', names: ['*.example.com', '::1'] }]],
    ['certs', 'a.crt,a.key:EXAMPLE.com.,10.0.0.1', [{ certFile: 'a.crt', keyFile: 'a.key', names: ['EXAMPLE.com.', '10.0.0.1'] }]],
  ])('of --%s=%s is its value', (flag, text, value) => {
    expect(read(`--${flag}=${text}`)).toEqual({ [flag]: value });
  });

  it.each([
    ['on', 'yes', 'strconv.ParseBool: parsing "yes": invalid syntax'],
    ['small', '2147483648', 'strconv.ParseInt: parsing "2147483648": value out of range'],
    ['small', '-2147483649', 'strconv.ParseInt: parsing "-2147483649": value out of range'],
    ['small', 'x', 'strconv.ParseInt: parsing "x": invalid syntax'],
    ['large', '9223372036854775808', 'strconv.ParseInt: parsing "9223372036854775808": value out of range'],
    ['rate', ' ', 'strconv.ParseFloat: parsing " ": invalid syntax'],
    ['rate', 'x', 'strconv.ParseFloat: parsing "x": invalid syntax'],
    ['address', '', 'failed to parse IP: ""'],
    ['address', '10.0.0', 'failed to parse IP: "10.0.0"'],
    ['blank-address', 'x', 'failed to parse IP: "x"'],
    ['wait', '5', 'time: missing unit in duration "5"'],
    ['pairs', 'a=1,b', 'b must be formatted as key=value'],
    ['limits', 'a=1', 'a=1 must be formatted as key<value'],
    ['labels', 'a', 'a must be formatted as key=value'],
    ['labels', '"a=1,b=2', 'parse error on line 1, column 1: extraneous or missing " in quoted-field'],
    ['labels', '"a=1"x,b=2', 'parse error on line 1, column 1: extraneous or missing " in quoted-field'],
    ['labels', 'a=1,b=2,c', 'c must be formatted as key=value'],
    ['gates', 'A', 'missing bool value for A'],
    ['gates', 'A= yes ', 'invalid value of A=yes, err: strconv.ParseBool: parsing "yes": invalid syntax'],
    ['headers', 'X:a,Y', 'malformed pair, expect string:string'],
    ['taints', 'k=v', 'invalid taint spec: k=v'],
    ['taints', 'k=v:NoSchedule:x', 'invalid taint spec: k=v:NoSchedule:x'],
    ['taints', 'k=v=w:NoSchedule', 'invalid taint spec: k=v=w:NoSchedule'],
    ['taints', '=v:NoSchedule', 'invalid taint spec: =v:NoSchedule'],
    ['taints', 'k:Never', 'invalid taint spec: k:Never: invalid taint effect: Never'],
    ['certs', 'a.crt', 'expected comma separated certificate and key file paths'],
    ['certs', ',a.key', 'expected comma separated certificate and key file paths'],
    ['certs', 'a.crt,', 'expected comma separated certificate and key file paths'],
    ['certs', 'a,b,c', 'expected comma separated certificate and key file paths'],
    ['certs', 'a,b: ', 'empty names list is not allowed'],
    ['certs', 'a,b:x.com,-*', '"-*" is no domain, no address, and no pattern such as *.example.com'],
    ['certs', 'a,b:::1/64', '"::1/64" is no domain, no address, and no pattern such as *.example.com'],
  ])('of --%s=%s is refused', (flag, text, why) => {
    expect(read(`--${flag}=${text}`)).toEqual(wrong(flag, text, why));
  });

  it('is added to earlier ones, if the flag is a list or a map', () => {
    expect(read('--words=a', '--words=', '--words=b', '--pairs=a=1,b=1', '--pairs=b=2', '--labels=a=1', '--labels=b=2')).toEqual({
      words: ['a', 'b'],
      pairs: { a: '1', b: '2' },
      labels: { a: '1', b: '2' },
    });
    expect(
      read('--gates=A=true', '--gates=B=true', '--headers=X:a', '--headers=X:b,Y:c', '--taints=k:NoExecute', '--taints=l:NoExecute'),
    ).toEqual({
      gates: { A: true, B: true },
      headers: { X: ['a', 'b'], Y: ['c'] },
      taints: ['k', 'l'].map((key) => ({ key, effect: 'NoExecute' })),
    });
    expect(read('--certs=a,b', '--certs=c,d')).toEqual({
      certs: [
        ['a', 'b'],
        ['c', 'd'],
      ].map(([certFile, keyFile]) => ({ certFile, keyFile, names: [] })),
    });
  });
});

describe('the value of a file', () => {
  const taint = { key: 'k', value: '', effect: 'NoSchedule' };
  const mapping = { a: 'b' };

  it.each([
    ['bool', [true, false], ['true', 1, null], 'true or false'],
    ['int32', [2_147_483_647, -2_147_483_648, 0], [2_147_483_648, -2_147_483_649, 1.5, '1'], 'a whole number (int32)'],
    ['int64', [Number.MAX_SAFE_INTEGER, 2_147_483_648], [2 ** 53, 0.5], 'a whole number'],
    ['float', [0.5, -3], [Infinity, NaN, '1'], 'a number'],
    ['string', ['', 'x'], [1, ['x']], 'a string'],
    ['ip', ['', '10.0.0.1', '::1'], ['x', 10], 'an IP address'],
    ['duration', ['0s', '1m0s'], ['1', 60, 'x'], 'a duration such as 10s or 1m30s'],
    ['strings', [[], ['a', '']], ['a', [1], ['a', null]], 'a list of strings'],
    ['stringMap', [{}, mapping], [[], { a: 1 }, { a: 'b', c: null }], 'a mapping of strings'],
    ['boolMap', [{ A: true }], [{ A: 'true' }, { A: true, B: 1 }], 'a mapping of names to true or false'],
    ['listMap', [{ X: [] }, { X: ['a'] }], [{ X: 'a' }, { X: [1] }], 'a mapping of names to lists of strings'],
    [
      'taints',
      [[], [taint], [{ key: 'k', effect: 'NoExecute', timeAdded: 'any' }], [{ key: 'k', effect: 'PreferNoSchedule' }]],
      [
        taint,
        ['k'],
        [{ key: 'k' }],
        [{ ...taint, key: '' }],
        [{ ...taint, effect: 'Never' }],
        [{ ...taint, more: 1 }],
        [taint, { ...taint, value: 1 }],
        [{ effect: 'NoSchedule' }],
      ],
      'a list of taints, each with a key and one of the effects NoSchedule, PreferNoSchedule, NoExecute',
    ],
    ['certKeys', [], [[], [{ certFile: 'a', keyFile: 'b', names: [] }]], 'nothing: this is set by a flag'],
  ] as const)('of type %s is read', (type, good, bad, expected) => {
    expect(good.map((value) => readValue(type, value))).toEqual(good.map((value) => ({ value })));
    expect(bad.map((value) => readValue(type, value))).toEqual(bad.map(() => ({ expected })));
  });

  it('of a duration is its canonical form', () => {
    expect(readValue('duration', '90s')).toEqual({ value: '1m30s' });
  });

  it('is not distinguished from an absent one, if it is zero', () => {
    expect([undefined, null, '', 0, '0s', false, []].map(isZero)).toEqual([true, true, true, true, true, true, true]);
    expect(['0', 1, '1s', true, [0], {}].map(isZero)).toEqual([false, false, false, false, false, false]);
  });
});

describe('a table of settings', () => {
  const fields = () =>
    withFlags({
      tlsCertFile: setting('string', '', 'x'),
      nested: group({
        podCIDR: setting('string', '', 'x'),
        other: setting('bool', false, 'x', { flag: null }),
        third: setting('bool', true, 'x', { flag: '3rd' }),
      }),
    });

  it('names its flags in kebab case, unless they are named otherwise', () => {
    expect([...settingsOf(fields())].map(([path, { flag }]) => [path, flag])).toEqual([
      ['tlsCertFile', 'tls-cert-file'],
      ['nested.podCIDR', 'pod-cidr'],
      ['nested.other', null],
      ['nested.third', '3rd'],
    ]);
  });

  it('is assembled to a document of the values that are set', () => {
    const values: Readonly<Record<string, unknown>> = { tlsCertFile: 'a', 'nested.other': false };
    expect(assemble(fields(), (path) => values[path])).toEqual({ tlsCertFile: 'a', nested: { other: false } });
  });
});
