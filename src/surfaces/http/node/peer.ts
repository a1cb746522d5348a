/**
 * Reads the user from the certificate of a connection: the common name is the user, organisations are groups. Models: apiserver
 * pkg/authentication/request/x509.
 */
import type { IncomingMessage } from 'node:http';
import { TLSSocket, type PeerCertificate } from 'node:tls';
import type { HttpRequest } from '../message.ts';

/** Undefined without a certificate, or for one without a common name. */
export function peerOf({ socket }: IncomingMessage): HttpRequest['peer'] {
  if (!(socket instanceof TLSSocket)) return undefined;
  // Without a certificate this is an empty object, contrary to its type.
  const { subject }: Partial<PeerCertificate> = socket.getPeerCertificate();
  if (subject === undefined) return undefined;
  if (!socket.authorized) return 'untrusted';
  const { CN, O } = subject;
  const name = listed(CN).at(-1) ?? '';
  return name === '' ? undefined : { name, groups: listed(O) };
}

/** A name is a string, or a list of several. */
const listed = (value: string | readonly string[] | undefined): readonly string[] =>
  value === undefined ? [] : typeof value === 'string' ? [value] : value;
