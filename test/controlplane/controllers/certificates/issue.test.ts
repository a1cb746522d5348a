/** What is inside of an issued certificate, read by another implementation. */
import { generateKeyPairSync, sign, X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { issue, type Issue } from '../../../../src/controlplane/controllers/certificates/issue.ts';
import { DER, der, derOid } from '../../../../src/schema/values/index.ts';

const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const commonName = (name: string): Uint8Array =>
  der(DER.sequence, der(0x31, der(DER.sequence, derOid('2.5.4.3'), der(0x0c, new TextEncoder().encode(name)))));
const authority = {
  issuer: commonName('issuer'),
  sign: (bytes: Uint8Array): Uint8Array => new Uint8Array(sign('sha256', bytes, keys.privateKey)),
};
const request = {
  subject: commonName('jane'),
  publicKey: new Uint8Array(keys.publicKey.export({ type: 'spki', format: 'der' })),
} as Issue['request'];

function issued(given: Partial<Issue> = {}): X509Certificate {
  const pem = issue(
    {
      request,
      usages: ['client auth'],
      uid: '01020304-0506-0708-090a-0b0c0d0e0f10',
      from: Date.UTC(2024, 2, 1),
      until: Date.UTC(2049, 11, 31, 23, 59, 59),
      ...given,
    },
    authority,
  );
  return new X509Certificate(Buffer.from(pem, 'base64').toString());
}

describe('an issued certificate', () => {
  it('has subject, issuer, serial number and a valid signature', () => {
    const certificate = issued();
    expect([certificate.subject, certificate.issuer]).toEqual(['CN=jane', 'CN=issuer']);
    expect(certificate.serialNumber).toBe('010102030405060708090A0B0C0D0E0F10');
    expect(certificate.verify(keys.publicKey)).toBe(true);
    expect(certificate.ca).toBe(false);
  });

  // RFC 5280 4.1.2.5: dates through 2049 as UTCTime, later ones as GeneralizedTime.
  it('has years of two digits until 2049, and of four from 2050 on', () => {
    const text = (until: number): string => issued({ until }).raw.toString('latin1');
    expect(text(Date.UTC(2049, 11, 31, 23, 59, 59))).toContain('\x17\x0d240301000000Z\x17\x0d491231235959Z');
    expect(text(Date.UTC(2050, 0, 1))).toContain('\x17\x0d240301000000Z\x18\x0f20500101000000Z');
  });

  it('has its usages, each once', () => {
    expect(issued({ usages: ['client auth', 'server auth', 'client auth'] }).keyUsage).toEqual(['1.3.6.1.5.5.7.3.2', '1.3.6.1.5.5.7.3.1']);
    // Bits 0 and 2 of a byte, of which five are unused.
    expect(issued({ usages: ['digital signature', 'key encipherment'] }).raw.toString('hex')).toContain('0603551d0f0101ff0404030205a0');
    expect(issued({ usages: [] }).keyUsage).toBeUndefined();
  });
});
