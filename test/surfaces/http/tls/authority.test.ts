/** The certificate authority of a server: what is in its certificates, what it signs, and whose signatures it accepts. */
import { createPrivateKey, generateKeyPairSync, type KeyObject, sign, verify, X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createAuthority } from '../../../../src/surfaces/http/index.ts';
import { DER, der, derOid } from '../../../../src/schema/values/index.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const authority = await createAuthority();
// The authority has loaded what this package needs.
const { BasicConstraintsExtension, KeyUsagesExtension, KeyUsageFlags, X509Certificate: Parsed } = await import('@peculiar/x509');
const root = new X509Certificate(authority.certificate);

/** What readers of a certificate see; the instants are from now. */
function seen(pem: string) {
  const certificate = new X509Certificate(pem);
  const parsed = new Parsed(pem);
  const { ca, pathLength, critical } = parsed.getExtension(BasicConstraintsExtension) ?? {};
  const since = (instant: string): number => Math.round((Date.parse(instant) - Date.now()) / HOUR);
  return {
    subject: certificate.subject,
    names: certificate.subjectAltName?.split(', '),
    is: { ca, pathLength, critical },
    usages: parsed.getExtension(KeyUsagesExtension)?.usages,
    purposes: certificate.keyUsage,
    from: since(certificate.validFrom),
    to: since(certificate.validTo),
  };
}
const LIFETIME = { from: -1, to: (366 * DAY) / HOUR };

describe('a certificate authority', () => {
  it('has a certificate of its own, under a name that no other one has', async () => {
    expect(seen(authority.certificate)).toEqual({
      ...LIFETIME,
      subject: expect.stringMatching(/^CN=orchsim-ca@[0-9a-f]{8}$/),
      names: undefined,
      is: { ca: true, pathLength: 0, critical: true },
      usages: KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign | KeyUsageFlags.digitalSignature,
      purposes: undefined,
    });
    const other = new X509Certificate((await createAuthority()).certificate);
    expect([other.subject === root.subject, root.verify(root.publicKey), root.verify(other.publicKey)]).toEqual([false, true, false]);
    expect(authority.certificate.endsWith('-----END CERTIFICATE-----\n')).toBe(true);
  });

  it('makes certificates for servers, of names and of addresses', async () => {
    const { certificate, key } = await authority.forServer(['my.host', '127.0.0.1', '::1']);
    expect(seen(certificate)).toEqual({
      ...LIFETIME,
      subject: 'CN=my.host',
      names: ['DNS:my.host', 'IP Address:127.0.0.1', 'IP Address:0:0:0:0:0:0:0:1'],
      is: { ca: false, pathLength: undefined, critical: true },
      usages: KeyUsageFlags.digitalSignature,
      purposes: ['1.3.6.1.5.5.7.3.1'],
    });
    const made = new X509Certificate(certificate);
    expect([made.checkIssued(root), made.verify(root.publicKey), made.checkPrivateKey(createPrivateKey(key))]).toEqual([true, true, true]);
    expect(key).toMatch(/^-----BEGIN PRIVATE KEY-----\n[^]*\n-----END PRIVATE KEY-----\n$/);
    expect(seen((await authority.forServer([])).certificate).subject).toBe('CN=localhost');
  });

  it('makes certificates for clients: their groups, then their name, as they are', async () => {
    const { certificate } = await authority.forClient('jane, "root"', ['system:masters', 'a+b=c']);
    expect(seen(certificate)).toEqual({
      ...LIFETIME,
      // Node escapes them for readers.
      subject: 'O=system:masters\nO=a\\+b=c\nCN=jane\\, \\"root\\"',
      names: undefined,
      is: { ca: false, pathLength: undefined, critical: true },
      usages: KeyUsageFlags.digitalSignature,
      purposes: ['1.3.6.1.5.5.7.3.2'],
    });
    expect(new X509Certificate(certificate).verify(root.publicKey)).toBe(true);
  });

  it('gives each certificate a positive number of its own', async () => {
    const serials = await Promise.all(
      [1, 2, 3].map(async () => new X509Certificate((await authority.forServer(['a'])).certificate).serialNumber),
    );
    for (const serial of serials) expect(serial).toMatch(/^[0-9A-F]+1$/);
    expect(new Set([...serials, root.serialNumber]).size).toBe(4);
  });
});

describe('the signer of an authority', () => {
  const { signer } = authority;
  const bytes = Buffer.from('to be signed');

  it('signs with the key of the authority, by the clock of the host', () => {
    expect(verify('sha256', bytes, root.publicKey, signer.sign(bytes))).toBe(true);
    expect(Math.abs(signer.now() - Date.now())).toBeLessThan(1_000);
    expect(Buffer.from(signer.issuer).toString('latin1')).toContain(root.subject.slice('CN='.length));
  });

  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const ed = generateKeyPairSync('ed25519');
  const judged = (oid: string, digest: string | null, keys: { readonly publicKey: KeyObject; readonly privateKey: KeyObject }) => ({
    publicKey: keys.publicKey.export({ type: 'spki', format: 'der' }),
    signed: bytes,
    signature: sign(digest, bytes, keys.privateKey),
    algorithm: der(DER.sequence, derOid(oid)),
  });

  it.each([
    ['1.2.840.10045.4.3.2', 'sha256', ec],
    ['1.2.840.10045.4.3.3', 'sha384', ec],
    ['1.2.840.10045.4.3.4', 'sha512', ec],
    ['1.2.840.113549.1.1.11', 'sha256', rsa],
    ['1.2.840.113549.1.1.12', 'sha384', rsa],
    ['1.2.840.113549.1.1.13', 'sha512', rsa],
    ['1.3.101.112', null, ed],
  ])('accepts a signature by the algorithm %s', (oid, digest, keys) => {
    const given = judged(oid, digest, keys);
    expect([signer.verify(given), signer.verify({ ...given, signed: Buffer.from('changed') })]).toEqual([true, false]);
  });

  it('accepts no other algorithm, and nothing that is malformed', () => {
    const given = judged('1.2.840.10045.4.3.2', 'sha256', ec);
    for (const algorithm of [
      der(DER.sequence, derOid('1.2.840.10045.4.3.1')),
      der(DER.sequence),
      derOid('1.2.840.10045.4.3.2'),
      bytes,
      Buffer.of(),
    ])
      expect(signer.verify({ ...given, algorithm })).toBe(false);
    expect(signer.verify({ ...given, publicKey: bytes })).toBe(false);
  });
});
