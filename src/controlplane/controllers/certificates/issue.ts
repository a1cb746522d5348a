/**
 * Issues a certificate for a request, signed by the authority of a server, or by a stand-in where nothing is served. Models: RFC 5280; v1.24
 * pkg/controller/certificates/authority PermissiveSigningPolicy.
 */
import type { CertificateRequest } from '../../../apiserver/kinds/index.ts';
import { DER, der, derOid, base64OfBytes, base64OfText, derBits, formatTime } from '../../../schema/values/index.ts';

export interface CertificateAuthority {
  /** The distinguished name of the issuer, as DER. */
  readonly issuer: Uint8Array;
  /** The present, milliseconds since the epoch: certificates are compared with the clock of the host. Absent: virtual time. */
  now?(): number;
  /** Returns an ECDSA signature with SHA-256, as DER. */
  sign(bytes: Uint8Array): Uint8Array;
  /** Whether a signature of a request is that of its key; absent: it is not checked. */
  verify?(request: Pick<CertificateRequest, 'publicKey' | 'signed' | 'signature' | 'algorithm'>): boolean;
}

const TEXT = new TextEncoder();

/** A distinguished name that has only a common name. */
const commonName = (name: string): Uint8Array =>
  der(DER.sequence, der(DER.set, der(DER.sequence, derOid('2.5.4.3'), der(DER.utf8, TEXT.encode(name)))));

/** Its certificates can be read, and nothing trusts them: the signature is always the same. */
export const STAND_IN: CertificateAuthority = {
  issuer: commonName('orchsim'),
  sign: () => der(DER.sequence, der(DER.integer, Uint8Array.of(1)), der(DER.integer, Uint8Array.of(1))),
};

const KEY_USAGES: Readonly<Record<string, number>> = {
  signing: 0,
  'digital signature': 0,
  'content commitment': 1,
  'key encipherment': 2,
  'data encipherment': 3,
  'key agreement': 4,
  'cert sign': 5,
  'crl sign': 6,
  'encipher only': 7,
};
const PURPOSES: Readonly<Record<string, string>> = {
  any: '2.5.29.37.0',
  'server auth': '1.3.6.1.5.5.7.3.1',
  'client auth': '1.3.6.1.5.5.7.3.2',
  'code signing': '1.3.6.1.5.5.7.3.3',
  'email protection': '1.3.6.1.5.5.7.3.4',
  's/mime': '1.3.6.1.5.5.7.3.4',
  'ipsec end system': '1.3.6.1.5.5.7.3.5',
  'ipsec tunnel': '1.3.6.1.5.5.7.3.6',
  'ipsec user': '1.3.6.1.5.5.7.3.7',
  timestamping: '1.3.6.1.5.5.7.3.8',
  'ocsp signing': '1.3.6.1.5.5.7.3.9',
};
const ALGORITHM = der(DER.sequence, derOid('1.2.840.10045.4.3.2'));
const CRITICAL = Uint8Array.of(0x01, 0x01, 0xff);
const [UTC_TIME, GENERALIZED_TIME] = [0x17, 0x18];
const [VERSION, EXTENSIONS] = [0xa0, 0xa3];

function timeOf(ms: number): Uint8Array {
  const digits = formatTime(ms).replace(/[-:T]/g, '');
  // Years from 2050 on have four digits.
  return digits < '2050' ? der(UTC_TIME, TEXT.encode(digits.slice(2))) : der(GENERALIZED_TIME, TEXT.encode(digits));
}

const extension = (oid: string, isCritical: boolean, value: Uint8Array): Uint8Array =>
  der(DER.sequence, derOid(oid), ...(isCritical ? [CRITICAL] : []), der(DER.octetString, value));

function keyUsage(usages: readonly string[]): readonly Uint8Array[] {
  const places = usages.flatMap((usage) => KEY_USAGES[usage] ?? []);
  if (places.length === 0) return [];
  const bits = places.reduce((all, place) => all | (0x80 >> place), 0);
  return [extension('2.5.29.15', true, derBits(Uint8Array.of(bits), 7 - Math.max(...places)))];
}

function purposes(usages: readonly string[]): readonly Uint8Array[] {
  const oids = [...new Set(usages.flatMap((usage) => PURPOSES[usage] ?? []))];
  return oids.length === 0 ? [] : [extension('2.5.29.37', false, der(DER.sequence, ...oids.map(derOid)))];
}

/** A positive number from the uid of an object, so that no two certificates have the same. */
function serialOf(uid: string): Uint8Array {
  const digits = uid.replaceAll('-', '').slice(0, 32);
  return der(
    DER.integer,
    Uint8Array.of(1),
    Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16)),
  );
}

export interface Issue {
  readonly request: CertificateRequest;
  readonly usages: readonly string[];
  readonly uid: string;
  /** Milliseconds since the epoch. */
  readonly from: number;
  readonly until: number;
}

/** Returns the certificate as PEM in base64. */
export function issue({ request, usages, uid, from, until }: Issue, { issuer, sign }: CertificateAuthority): string {
  const { subject, publicKey, alternativeNames } = request;
  const extensions = [
    ...keyUsage(usages),
    ...purposes(usages),
    extension('2.5.29.19', true, der(DER.sequence)),
    ...(alternativeNames === undefined ? [] : [alternativeNames]),
  ];
  const signed = der(
    DER.sequence,
    der(VERSION, der(DER.integer, Uint8Array.of(2))),
    serialOf(uid),
    ALGORITHM,
    issuer,
    der(DER.sequence, timeOf(from), timeOf(until)),
    subject,
    publicKey,
    der(EXTENSIONS, der(DER.sequence, ...extensions)),
  );
  const certificate = base64OfBytes(der(DER.sequence, signed, ALGORITHM, derBits(sign(signed))));
  const lines = certificate.match(/.{1,64}/g) ?? [];
  return base64OfText(`-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`);
}
