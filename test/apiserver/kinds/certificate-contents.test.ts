/** The certificate request inside a CertificateSigningRequest: what is read of it, and what is none. */
import { describe, expect, it } from 'vitest';
import { parseRequest } from '../../../src/apiserver/kinds/certificate-signing-request/request.ts';
import { base64OfBytes, base64OfText, DER, der, derBits, derOid } from '../../../src/schema/values/index.ts';

const text = (of: string): Uint8Array => der(DER.utf8, new TextEncoder().encode(of));
const name = (oid: string, of: string): Uint8Array => der(DER.set, der(DER.sequence, derOid(oid), text(of)));
const [COMMON_NAME, ORGANIZATION, COUNTRY] = ['2.5.4.3', '2.5.4.10', '2.5.4.6'];
const subject = der(
  DER.sequence,
  name(COMMON_NAME, 'first'),
  name(ORGANIZATION, 'a'),
  name(COUNTRY, 'X'),
  name(ORGANIZATION, 'b'),
  name(COMMON_NAME, 'last'),
);
const version = der(DER.integer, Uint8Array.of(0));
const key = der(DER.sequence, der(DER.sequence, derOid('1.2.840.113549.1.1.1')), derBits(Uint8Array.of(1, 2)));
const algorithm = der(DER.sequence, derOid('1.2.840.113549.1.1.11'));
const signature = derBits(Uint8Array.of(9, 8, 7));

/** An attribute with extensions, of which one has these names. */
const extension = (oid: string, ...parts: readonly Uint8Array[]): Uint8Array => der(DER.sequence, derOid(oid), ...parts);
const names = (...all: readonly Uint8Array[]): Uint8Array => der(DER.octetString, der(DER.sequence, ...all));
const critical = der(0x01, Uint8Array.of(0xff));
const attribute = (oid: string, ...extensions: readonly Uint8Array[]): Uint8Array =>
  der(DER.sequence, derOid(oid), der(DER.set, der(DER.sequence, ...extensions)));
const attributes = (...all: readonly Uint8Array[]): Uint8Array => der(0xa0, ...all);
const EXTENSIONS = '1.2.840.113549.1.9.14';
const ALTERNATIVES = '2.5.29.17';
const dns = (of: string): Uint8Array => der(0x82, new TextEncoder().encode(of));

const pem = (bytes: Uint8Array, type = 'CERTIFICATE REQUEST'): string =>
  base64OfText(`-----BEGIN ${type}-----\n${base64OfBytes(bytes)}\n-----END ${type}-----\n`);
const info = (...parts: readonly Uint8Array[]): Uint8Array => der(DER.sequence, ...parts);
const request = (of: Uint8Array, ...rest: readonly Uint8Array[]): string => pem(der(DER.sequence, of, ...rest));

describe('a request', () => {
  const whole = info(version, subject, key);
  it('has a subject, a key and a signature', () => {
    expect(parseRequest(request(whole, algorithm, signature))).toEqual({
      request: {
        subject,
        publicKey: key,
        commonName: 'last',
        organizations: ['a', 'b'],
        namesByType: new Map(),
        signed: whole,
        algorithm,
        signature: Uint8Array.of(9, 8, 7),
      },
    });
  });

  it('may have no names', () => {
    const parsed = parseRequest(request(info(version, der(DER.sequence), key), algorithm, signature));
    expect('request' in parsed && [parsed.request.commonName, parsed.request.organizations]).toEqual(['', []]);
  });

  it('may have alternative names, counted by their type', () => {
    const alternatives = extension(
      ALTERNATIVES,
      critical,
      names(dns('a'), dns('b'), der(0x87, Uint8Array.of(1, 2, 3, 4)), der(0x86), der(0x81)),
    );
    const usage = extension('2.5.29.15', names());
    const others = [attribute('1.2.840.113549.1.9.7', alternatives), attribute(EXTENSIONS, usage, alternatives)];
    const parsed = parseRequest(request(info(version, subject, key, attributes(...others)), algorithm, signature));
    expect('request' in parsed && [parsed.request.alternativeNames, parsed.request.namesByType]).toEqual([
      alternatives,
      new Map([
        [2, 2],
        [7, 1],
        [6, 1],
        [1, 1],
      ]),
    ]);
  });

  it.each<[what: string, attributes: Uint8Array]>([
    ['no attributes', attributes()],
    ['another attribute', attributes(attribute('1.2.3', extension(ALTERNATIVES, names(dns('a')))))],
    ['other extensions', attributes(attribute(EXTENSIONS, extension('2.5.29.15', names(dns('a')))))],
    ['an attribute that is none', attributes(der(DER.set, derOid(EXTENSIONS)))],
  ])('has no alternative names with %s', (_, given) => {
    const parsed = parseRequest(request(info(version, subject, key, given), algorithm, signature));
    expect('request' in parsed && [parsed.request.alternativeNames, parsed.request.namesByType.size]).toEqual([undefined, 0]);
  });

  it('has no names where its alternatives are no octets', () => {
    const alternatives = extension(ALTERNATIVES, der(DER.sequence, dns('a')));
    const parsed = parseRequest(
      request(info(version, subject, key, attributes(attribute(EXTENSIONS, alternatives))), algorithm, signature),
    );
    expect('request' in parsed && [parsed.request.alternativeNames, parsed.request.namesByType.size]).toEqual([alternatives, 0]);
  });

  it.each<[what: string, request: string]>([
    ['no sequence', pem(der(DER.set, whole, algorithm, signature))],
    ['more behind it', pem(Uint8Array.of(...der(DER.sequence, whole, algorithm, signature), 5, 0))],
    ['bytes that are cut', pem(der(DER.sequence, whole, algorithm, signature).subarray(0, 40))],
    ['no algorithm', request(whole)],
    ['no signature', request(whole, algorithm)],
    ['a signature that is no bits', request(whole, algorithm, text('x'))],
    ['no information', request(der(DER.set, version, subject, key), algorithm, signature)],
    ['no version', request(info(subject, subject, key), algorithm, signature)],
    ['no key', request(info(version, subject), algorithm, signature)],
    ['a key that is no sequence', request(info(version, subject, text('x')), algorithm, signature)],
    ['a subject that is no sequence', request(info(version, text('x'), key), algorithm, signature)],
  ])('is none with %s', (_, given) => {
    expect(parseRequest(given)).toEqual({ problem: 'asn1: structure error' });
  });

  it.each<[what: string, request: string | null]>([
    ['nothing', null],
    ['an empty block', pem(Uint8Array.of())],
    ['no block', base64OfText('text')],
    ['another block', pem(whole, 'CERTIFICATE')],
    ['a body that is no base64', base64OfText('-----BEGIN CERTIFICATE REQUEST-----\nYQ=\n-----END CERTIFICATE REQUEST-----')],
  ])('is in a block of its type, not in %s', (_, given) => {
    expect(parseRequest(given)).toEqual({ problem: 'PEM block type must be CERTIFICATE REQUEST' });
  });
});
