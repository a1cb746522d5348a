/**
 * A certificate authority for the time that the server runs: it signs the certificates of the server and of clients. Its key is only in
 * memory. Loaded on request, because plain HTTP does not need it. Times are the host's, because clients compare certificates with their own
 * clock.
 */
import {
  BasicConstraintsExtension,
  cryptoProvider,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  Name,
  PemConverter,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from '@peculiar/x509';
import type { Extension, JsonName } from '@peculiar/x509';
import { createPublicKey, KeyObject, randomBytes, sign as signWith, verify, webcrypto } from 'node:crypto';
import { isIP } from 'node:net';
import type { CertificateAuthority } from '../../../controlplane/controllers/index.ts';
import { base64OfBytes, DER, derMembers, derOid, derValues } from '../../../schema/values/index.ts';

export type Authority = Awaited<ReturnType<typeof createAuthority>>;

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const HOUR_MS = 3_600_000;
const YEAR_MS = 366 * 24 * HOUR_MS;
/** A serial number is positive, so its first bit is zero. */
const serial = (): string => `0${randomBytes(15).toString('hex').slice(1)}1`;

/** A value without interpretation: plain strings are parsed for quotes and escapes. */
const literally = (text: string) => ({ utf8String: text });

const newKeys = (): Promise<webcrypto.CryptoKeyPair> => webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);

/** Valid from an hour ago, so that clients with a slow clock accept it. */
const lifetime = (): { readonly notBefore: Date; readonly notAfter: Date } => ({
  notBefore: new Date(Date.now() - HOUR_MS),
  notAfter: new Date(Date.now() + YEAR_MS),
});

/** Creates an authority with a unique name, so that authorities of two servers are not confused. */
export async function createAuthority() {
  cryptoProvider.set(webcrypto as Crypto);
  const issuer: JsonName = [{ CN: [`orchsim-ca@${randomBytes(4).toString('hex')}`] }];
  const keys = await newKeys();
  const root = await X509CertificateGenerator.createSelfSigned({
    serialNumber: serial(),
    name: issuer,
    ...lifetime(),
    signingAlgorithm: ALGORITHM,
    keys,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign | KeyUsageFlags.digitalSignature, true),
    ],
  });
  const sign = async (subject: Name | JsonName, usage: ExtendedKeyUsage, more: readonly Extension[]) => {
    const { publicKey, privateKey } = await newKeys();
    const certificate = await X509CertificateGenerator.create({
      serialNumber: serial(),
      subject,
      issuer: root.subject,
      ...lifetime(),
      signingAlgorithm: ALGORITHM,
      publicKey,
      signingKey: keys.privateKey,
      extensions: [
        new BasicConstraintsExtension(false, undefined, true),
        new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
        new ExtendedKeyUsageExtension([usage]),
        ...more,
      ],
    });
    const key = PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', privateKey), 'PRIVATE KEY');
    return { certificate: `${certificate.toString('pem')}\n`, key: `${key}\n` };
  };
  return {
    /** The CA certificate as PEM, for clients to trust. */
    certificate: `${root.toString('pem')}\n`,
    /** Signs what clients of the cluster ask for (CertificateSigningRequests). */
    signer: signerWith(KeyObject.from(keys.privateKey), new Uint8Array(root.subjectName.toArrayBuffer())),
    forServer: (hosts: readonly string[]) =>
      sign([{ CN: [hosts[0] ?? 'localhost'] }], ExtendedKeyUsage.serverAuth, [
        new SubjectAlternativeNameExtension(
          hosts.map((value) => ({ type: isIP(value) === 0 ? ('dns' as const) : ('ip' as const), value })),
        ),
      ]),
    forClient: (user: string, groups: readonly string[]) =>
      sign(new Name([...groups.map((group) => ({ O: [literally(group)] })), { CN: [literally(user)] }]), ExtendedKeyUsage.clientAuth, []),
  };
}

/** Digests by the algorithm of a signature, an object identifier in base64; null: the algorithm has its own. */
const DIGESTS: ReadonlyMap<string, string | null> = new Map(
  (
    [
      ['1.2.840.10045.4.3.2', 'sha256'],
      ['1.2.840.10045.4.3.3', 'sha384'],
      ['1.2.840.10045.4.3.4', 'sha512'],
      ['1.2.840.113549.1.1.11', 'sha256'],
      ['1.2.840.113549.1.1.12', 'sha384'],
      ['1.2.840.113549.1.1.13', 'sha512'],
      ['1.3.101.112', null],
    ] as const
  ).map(([oid, digest]) => [base64OfBytes(derOid(oid)), digest]),
);

/** Signs at once, as the decision of a controller needs it. */
const signerWith = (key: KeyObject, issuer: Uint8Array) =>
  ({
    issuer,
    now: () => Date.now(),
    sign: (bytes) => signWith('sha256', bytes, key),
    verify({ publicKey, signed, signature, algorithm }) {
      const [oid] = derMembers(derValues(algorithm)?.[0], DER.sequence) ?? [];
      const digest = oid === undefined ? undefined : DIGESTS.get(base64OfBytes(oid.raw));
      if (digest === undefined) return false;
      try {
        return verify(digest, signed, createPublicKey({ key: Buffer.from(publicKey), format: 'der', type: 'spki' }), signature);
      } catch {
        return false;
      }
    },
  }) satisfies CertificateAuthority;
