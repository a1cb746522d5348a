/** Who signs certificates: the authority of a server, or a stand-in where nothing is served. */
import type { CertificateRequest } from '../../../apiserver/kinds/index.ts';
import { DER, der, derOid } from '../../../schema/values/index.ts';

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
