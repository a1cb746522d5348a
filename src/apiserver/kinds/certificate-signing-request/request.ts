/** The certificate request inside a CertificateSigningRequest: PKCS #10 in PEM. Models: RFC 2986, v1.24 pkg/apis/certificates ParseCSR. */
import { base64OfBytes, bytesOfBase64, DER, derMembers, derOid, derValues, isBase64, pemBlocks } from '../../../schema/values/index.ts';
import type { DerValue } from '../../../schema/values/index.ts';

export interface CertificateRequest {
  /** The subject and the public key, as DER. */
  readonly subject: Uint8Array;
  readonly publicKey: Uint8Array;
  readonly commonName: string;
  readonly organizations: readonly string[];
  /** The extension with alternative names, as DER; absent: there are none. */
  readonly alternativeNames?: Uint8Array;
  /** By kind of name: 1 mail, 2 DNS, 6 URI, 7 IP. */
  readonly namesByType: ReadonlyMap<number, number>;
  /** What is signed, by which algorithm, and the signature. */
  readonly signed: Uint8Array;
  readonly algorithm: Uint8Array;
  readonly signature: Uint8Array;
}

const WRONG = 'asn1: structure error';

/** Returns the request of a base64 text, or why it is none; null: none was given. Its signature is not checked. */
export function parseRequest(base64: string | null): { readonly request: CertificateRequest } | { readonly problem: string } {
  const [block] = pemBlocks(base64 ?? '');
  if (block?.type !== 'CERTIFICATE REQUEST' || !isBase64(block.body)) return { problem: 'PEM block type must be CERTIFICATE REQUEST' };
  const request = requestIn(bytesOfBase64(block.body));
  return request === undefined ? { problem: WRONG } : { request };
}

function requestIn(bytes: Uint8Array): CertificateRequest | undefined {
  const [outer, ...more] = derValues(bytes) ?? [];
  const [info, algorithm, signature] = derMembers(outer, DER.sequence) ?? [];
  const [version, subject, publicKey, attributes] = derMembers(info, DER.sequence) ?? [];
  if (more.length > 0 || info === undefined || algorithm === undefined || subject === undefined || publicKey === undefined)
    return undefined;
  if (version?.tag !== DER.integer || signature?.tag !== DER.bitString || publicKey.tag !== DER.sequence) return undefined;
  const names = namesIn(subject);
  if (names === undefined) return undefined;
  const alternativeNames = attributes === undefined ? undefined : alternativesIn(attributes);
  return {
    subject: subject.raw,
    publicKey: publicKey.raw,
    commonName: names.filter(({ oid }) => oid === COMMON_NAME).at(-1)?.text ?? '',
    organizations: names.filter(({ oid }) => oid === ORGANIZATION).map(({ text }) => text),
    ...(alternativeNames === undefined ? {} : { alternativeNames: alternativeNames.raw }),
    namesByType: countTypes(alternativeNames),
    signed: info.raw,
    algorithm: algorithm.raw,
    signature: signature.content.subarray(1),
  };
}

const keyOf = (oid: Uint8Array): string => base64OfBytes(oid);
const COMMON_NAME = keyOf(derOid('2.5.4.3'));
const ORGANIZATION = keyOf(derOid('2.5.4.10'));
const EXTENSIONS = keyOf(derOid('1.2.840.113549.1.9.14'));
const ALTERNATIVE_NAMES = keyOf(derOid('2.5.29.17'));

function namesIn(subject: DerValue): readonly { readonly oid: string; readonly text: string }[] | undefined {
  const sets = derMembers(subject, DER.sequence);
  return sets?.flatMap((set) =>
    (derMembers(set, DER.set) ?? []).flatMap((pair) => {
      const [oid, value] = derMembers(pair, DER.sequence) ?? [];
      return oid === undefined || value === undefined ? [] : [{ oid: keyOf(oid.raw), text: new TextDecoder().decode(value.content) }];
    }),
  );
}

function alternativesIn(attributes: DerValue): DerValue | undefined {
  for (const attribute of derValues(attributes.content) ?? []) {
    const [oid, values] = derMembers(attribute, DER.sequence) ?? [];
    if (oid === undefined || keyOf(oid.raw) !== EXTENSIONS) continue;
    const [list] = derMembers(values, DER.set) ?? [];
    for (const extension of derMembers(list, DER.sequence) ?? []) {
      const [name] = derMembers(extension, DER.sequence) ?? [];
      if (name !== undefined && keyOf(name.raw) === ALTERNATIVE_NAMES) return extension;
    }
  }
  return undefined;
}

function countTypes(extension: DerValue | undefined): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  const value = (derMembers(extension, DER.sequence) ?? []).at(-1);
  const [list] = value?.tag === DER.octetString ? (derValues(value.content) ?? []) : [];
  for (const { tag } of derMembers(list, DER.sequence) ?? []) counts.set(tag & 0x1f, (counts.get(tag & 0x1f) ?? 0) + 1);
  return counts;
}
