/** Ranges contain addresses, and names and paths are of one form. */
import { describe, expect, it } from 'vitest';
import * as values from '../../../src/schema/values/index.ts';

describe('ranges', () => {
  it.each<[cidr: string, inside: readonly string[], outside: readonly string[]]>([
    ['10.0.0.0/8', ['10.0.0.0', '10.255.255.255'], ['9.255.255.255', '11.0.0.0', 'fd00::1', 'x']],
    ['10.1.2.3/31', ['10.1.2.2', '10.1.2.3'], ['10.1.2.1', '10.1.2.4']],
    ['1.2.3.4/32', ['1.2.3.4', '::ffff:1.2.3.4'], ['1.2.3.5']],
    ['0.0.0.0/0', ['0.0.0.0', '255.255.255.255'], ['::1']],
    ['fd00::/8', ['fd00::', 'fdff:ffff::1'], ['fc00::', 'fe00::']],
    ['fd00:0:0:1::/64', ['fd00:0:0:1::', 'fd00::1:ffff:ffff:ffff:ffff'], ['fd00:0:0:2::', 'fd00::']],
    ['fd00::8/125', ['fd00::8', 'fd00::f'], ['fd00::7', 'fd00::10']],
    ['fd00::1/128', ['fd00::1'], ['fd00::2']],
    ['::ffff:10.0.0.0/104', ['10.0.0.1', '::ffff:10.255.0.1'], ['11.0.0.1']],
    ['::/0', ['::', 'ffff::'], ['1.2.3.4']],
  ])('%s', (cidr, inside, outside) => {
    for (const address of inside) expect([address, values.ipBlockContains({ cidr }, address)]).toEqual([address, true]);
    for (const address of outside) expect([address, values.ipBlockContains({ cidr }, address)]).toEqual([address, false]);
  });

  it('have a mask in their bounds', () => {
    const wrong = [
      '10.0.0.0',
      '10.0.0.0/',
      '10.0.0.0/33',
      '10.0.0.0/-1',
      '10.0.0.0/8x',
      '10.0.0.0/x8',
      'fd00::/129',
      'x/8',
      '/8',
      '10.0.0/8',
      '10.0.0.0/8/8',
    ];
    expect(wrong.map((text) => values.parseCidr(text).error)).toEqual(wrong.map((text) => `invalid CIDR address: ${text}`));
    expect(['10.0.0.0/32', '10.0.0.0/0', 'fd00::/128', '::ffff:1.2.3.4/96'].map((text) => values.parseCidr(text).error)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('leave exceptions out, and those that are no ranges nothing', () => {
    const block = { cidr: '10.0.0.0/8', except: ['10.1.0.0/16', 'x', '11.0.0.0/8'] };
    expect(['10.0.0.1', '10.1.0.1', '11.0.0.1'].map((address) => values.ipBlockContains(block, address))).toEqual([true, false, false]);
    expect(values.ipBlockContains({ cidr: 'x' }, '10.0.0.1')).toBe(false);
  });

  it.each<[block: Parameters<typeof values.validateIpBlock>[0], problems: readonly string[]]>([
    [{}, ['Required value']],
    [{ cidr: '' }, ['Required value']],
    [{ cidr: 'x' }, ['Invalid value: "x": not a valid CIDR']],
    [{ cidr: '10.0.0.0/8', except: null }, []],
    [
      { cidr: '10.0.0.0/8', except: ['10.0.0.0/9', '10.0.0.0/8', '10.0.0.0/7', '11.0.0.0/9'] },
      ['10.0.0.0/8', '10.0.0.0/7', '11.0.0.0/9'].map((text) => `Invalid value: "${text}": must be a strict subset of \`cidr\``),
    ],
    [
      { cidr: '10.0.0.0/8', except: ['10.0.0.0/8', 'x', '11.0.0.0/9'] },
      ['Invalid value: "10.0.0.0/8": must be a strict subset of `cidr`', 'Invalid value: "x": not a valid CIDR'],
    ],
  ])('%j', (block, problems) => {
    expect(values.validateIpBlock(block, 'b').map(values.problemBody)).toEqual(problems);
  });
});

describe('addresses', () => {
  it('are of one family', () => {
    const texts = [
      '1.2.3.4',
      '::ffff:1.2.3.4',
      'fd00::1',
      'x',
      '1.2.3',
      '1.2.3.256',
      '::10000',
      'fd00::1%eth0',
      '[::1]',
      '1::2::3',
      '1:2:3:4:5:6:7',
      '1:2:3:4:5:6:7:8',
      '1:2:3:4:5:6:1.2.3.4',
      '::1.2.3',
    ];
    const ofFour = texts.filter((text) => values.validateIpv4(text, 'f').length === 0);
    const ofSix = texts.filter((text) => values.validateIpv6(text, 'f').length === 0);
    expect([ofFour, ofSix]).toEqual([
      ['1.2.3.4', '::ffff:1.2.3.4'],
      ['fd00::1', '1:2:3:4:5:6:7:8', '1:2:3:4:5:6:1.2.3.4'],
    ]);
  });

  it('of endpoints are none with a meaning of their own', () => {
    const texts = [
      '0.0.0.0',
      '::',
      '127.0.0.1',
      '127.255.0.1',
      '::1',
      '169.254.0.1',
      'fe80::1',
      'febf::1',
      '224.0.0.1',
      'ff02::1',
      'ff12::1',
      'x',
      '128.0.0.1',
      '169.253.0.1',
      '224.0.1.1',
      'fec0::1',
      'ff03::1',
      '::2',
      '1::1',
    ];
    const word = (text: string) =>
      values
        .validateNonSpecialIp(text, 'f')
        .map(
          (problem) =>
            /unspecified|loopback|multicast|link-local|must/.exec(
              values.problemBody(problem).replace('link-local multicast', 'multicast'),
            )?.[0],
        );
    expect(texts.map((text) => word(text).join())).toEqual([
      'unspecified',
      'unspecified',
      'loopback',
      'loopback',
      'loopback',
      'link-local',
      'link-local',
      'link-local',
      'multicast',
      'multicast',
      'multicast',
      'must',
      '',
      '',
      '',
      '',
      '',
      '',
      '',
    ]);
  });
});

describe('names', () => {
  it.each([
    ['', ['Required value']],
    ['a.b', []],
    ['a.b.', []],
    ['a', ['Invalid value: "a": should be a domain with at least two segments separated by dots']],
    [`${'a'.repeat(64)}.b`, [`Invalid value: "${'a'.repeat(64)}": must be no more than 63 characters`]],
  ])('a full domain name: %j', (text, problems) => {
    expect(values.validateFullyQualifiedDomainName(text, 'f').map(values.problemBody)).toEqual(problems);
  });

  it.each([
    ['', ['Required value']],
    ['a.io/b', []],
    ['a.io/b/c%d', []],
    ['a', ['Invalid value: "a": must be a domain-prefixed path (such as "acme.io/foo")']],
    ['/b', ['Invalid value: "/b": must be a domain-prefixed path (such as "acme.io/foo")']],
    ['a/', ['Invalid value: "a/": must be a domain-prefixed path (such as "acme.io/foo")']],
    [
      'A/b c',
      [
        `Invalid value: "A": ${values.isDns1123Subdomain('A').join()}`,
        "Invalid value: \"b c\": Invalid path (regex used for validation is '[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+')",
      ],
    ],
  ])('a path in a domain: %j', (text, problems) => {
    expect(values.validateDomainPrefixedPath(text, 'f').map(values.problemBody)).toEqual(problems);
  });

  it('of files do not lead out of their folder', () => {
    expect(['.', '..', '..a', '.a', 'a..b'].map((text) => values.isConfigMapKey(text))).toEqual([
      ["must not be '.'"],
      ["must not be '..'"],
      ["must not start with '..'"],
      [],
      [],
    ]);
    expect(['a/b', 'a%b', '.', '..', 'a%/b', '...'].map(values.isValidPathSegmentName)).toEqual([
      ["may not contain '/'"],
      ["may not contain '%'"],
      ["may not be '.'"],
      ["may not be '..'"],
      ["may not contain '/'", "may not contain '%'"],
      [],
    ]);
  });

  it('to be continued may end with a dash', () => {
    const isPrefix = values.asPrefix(values.isDns1123Label);
    expect(['a-', 'ab-', 'a', '-', 'A-', 'a_-', 'a--'].map((text) => isPrefix(text).length === 0)).toEqual([
      true,
      true,
      true,
      false,
      true,
      true,
      true,
    ]);
  });
});
