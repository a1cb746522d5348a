/**
 * A certificate authority that lives as long as the server: it signs the server's certificate and those of clients, and its key is kept in
 * memory only. Loaded on request: plain HTTP needs none of it. Times are the host's, as clients judge certificates by their own clock.
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
  type Extension,
  type JsonName,
} from '@peculiar/x509';
import { randomBytes, webcrypto } from 'node:crypto';
import { isIP } from 'node:net';

/** A certificate and its key, both as PEM. */
export interface KeyPair {
  readonly certificate: string;
  readonly key: string;
}

export interface Authority {
  /** Its own certificate as PEM: what clients trust. */
  readonly certificate: string;
  /** For a server that is reached by these names and addresses. */
  forServer(hosts: readonly string[]): Promise<KeyPair>;
  /** For a client who is this user, in these groups. */
  forClient(user: string, groups: readonly string[]): Promise<KeyPair>;
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const HOUR_MS = 3_600_000;
const YEAR_MS = 366 * 24 * HOUR_MS;
/** A serial number is positive: its first bit is none. */
const serial = (): string => `0${randomBytes(15).toString('hex').slice(1)}1`;

/** A value as it is: bare texts are read for quotes and escapes. */
const literally = (text: string) => ({ utf8String: text });

const newKeys = (): Promise<webcrypto.CryptoKeyPair> => webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);

/** Valid from an hour ago, so that a clock that is a little behind takes it. */
const lifetime = (): { readonly notBefore: Date; readonly notAfter: Date } => ({
  notBefore: new Date(Date.now() - HOUR_MS),
  notAfter: new Date(Date.now() + YEAR_MS),
});

/** Makes one under a name of its own: two servers' authorities are never taken for each other. */
export async function createAuthority(): Promise<Authority> {
  cryptoProvider.set(webcrypto as Crypto);
  const issuer: JsonName = [{ CN: [`orchsim-ca@${randomBytes(4).toString('hex')}`] }];
  const keys = await newKeys();
  const own = await X509CertificateGenerator.createSelfSigned({
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
  const sign = async (subject: Name | JsonName, usage: ExtendedKeyUsage, more: readonly Extension[]): Promise<KeyPair> => {
    const { publicKey, privateKey } = await newKeys();
    const certificate = await X509CertificateGenerator.create({
      serialNumber: serial(),
      subject,
      issuer: own.subject,
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
    certificate: `${own.toString('pem')}\n`,
    forServer: (hosts) =>
      sign([{ CN: [hosts[0] ?? 'localhost'] }], ExtendedKeyUsage.serverAuth, [
        new SubjectAlternativeNameExtension(
          hosts.map((value) => ({ type: isIP(value) === 0 ? ('dns' as const) : ('ip' as const), value })),
        ),
      ]),
    forClient: (user, groups) =>
      sign(new Name([...groups.map((group) => ({ O: [literally(group)] })), { CN: [literally(user)] }]), ExtendedKeyUsage.clientAuth, []),
  };
}
