/** DER and PEM, as certificates need them: lengths at their edges, and what is refused. */
import { describe, expect, it } from 'vitest';
import { base64OfText, DER, der, derBits, derMembers, derOid, derValues, pemBlocks } from '../../../src/schema/values/index.ts';

const bytes = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex.replaceAll(' ', ''), 'hex'));
const hex = (of: Uint8Array): string => Buffer.from(of).toString('hex');
const filled = (length: number): Uint8Array => new Uint8Array(length).fill(7);

describe('values', () => {
  it.each([
    [0, '0400'],
    [1, '0401'],
    [127, '047f'],
    [128, '048180'],
    [255, '0481ff'],
    [256, '04820100'],
    [65_535, '0482ffff'],
    [65_536, '0483010000'],
  ])('of %d octets have the shortest length', (length, start) => {
    const made = der(DER.octetString, filled(length));
    expect(hex(made)).toBe(start + '07'.repeat(length));
    expect(derValues(made)?.map(({ tag, content, raw }) => [tag, hex(content), hex(raw)])).toEqual([[4, '07'.repeat(length), hex(made)]]);
  });

  it('are composed of parts, and read one after the other', () => {
    const made = der(DER.sequence, der(DER.integer, bytes('01')), der(DER.utf8, bytes('6162')), derBits(bytes('f0'), 4));
    expect(hex(made)).toBe('300b0201010c02616203 0204f0'.replaceAll(' ', ''));
    const [whole] = derValues(made) ?? [];
    expect(derMembers(whole, DER.sequence)?.map(({ tag, content, raw }) => [tag, hex(content), hex(raw)])).toEqual([
      [2, '01', '020101'],
      [12, '6162', '0c026162'],
      [3, '04f0', '030204f0'],
    ]);
    expect([derMembers(whole, DER.set), derMembers(undefined, DER.set)]).toEqual([undefined, undefined]);
    expect(derValues(bytes(''))).toEqual([]);
    expect(derBits(bytes('01'))).toEqual(bytes('03020001'));
  });

  it.each([
    ['a tag without a length', '04'],
    ['a tag of several octets', '1f0101'],
    ['content that ends too early', '040201'],
    ['a second value that ends too early', '0401010402'],
    ['a length that is not definite', '0480'],
    ['a length in more than three octets', '048401000000'],
    ['a length that ends too early', '0482 01'],
    ['a long form for a short length', `04817f${'00'.repeat(127)}`],
    ['two octets where one is enough', `048200ff${'00'.repeat(255)}`],
    ['three octets where two are enough', `048300ffff${'00'.repeat(65_535)}`],
  ])('%s is refused', (_, text) => {
    expect(derValues(bytes(text))).toBeUndefined();
  });

  it('are at most 4096 in a row', () => {
    const many = (count: number) => bytes('0500'.repeat(count));
    expect(derValues(many(4096))).toHaveLength(4096);
    expect(derValues(many(4097))).toBeUndefined();
  });
});

it.each([
  ['2.5.4.3', '0603550403'],
  ['1.2.840.113549.1.1.11', '06092a864886f70d01010b'],
  ['2.5.29.127', '0603551d7f'],
  ['2.5.29.128', '0604551d8100'],
  ['1.3.16383.16384', '06062bff7f818000'],
])('the identifier %s', (dotted, text) => {
  expect(hex(derOid(dotted))).toBe(text);
});

it('blocks of PEM have a type and a body without line ends', () => {
  const text =
    'text\n-----BEGIN CERTIFICATE-----\nYWJj\r\nZGVm\n-----END CERTIFICATE-----\n-----BEGIN X-----\nYQ==\n-----END Y-----\n-----BEGIN RSA KEY 2-----\r\nYQ==\r\n-----END RSA KEY 2-----';
  expect(pemBlocks(base64OfText(text))).toEqual([
    { type: 'CERTIFICATE', body: 'YWJjZGVm' },
    { type: 'RSA KEY 2', body: 'YQ==' },
  ]);
  expect(pemBlocks(base64OfText('-----BEGIN A-----\n*\n-----END A-----'))).toEqual([]);
});
