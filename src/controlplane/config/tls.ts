/**
 * TLS versions and cipher suites by name, for every serving process. Models: v1.24 component-base cli/flag/ciphersuites_flag.go with Go
 * 1.18.
 */
import { didYouMean, quote } from '../../schema/values/index.ts';

const VERSIONS = ['VersionTLS10', 'VersionTLS11', 'VersionTLS12', 'VersionTLS13'];

const ECDHE = ['ECDSA', 'RSA'].flatMap((key) =>
  ['AES_128_CBC_SHA', 'AES_128_GCM_SHA256', 'AES_256_CBC_SHA', 'AES_256_GCM_SHA384', 'CHACHA20_POLY1305', 'CHACHA20_POLY1305_SHA256'].map(
    (cipher) => `TLS_ECDHE_${key}_WITH_${cipher}`,
  ),
);
const SUITES = [
  'TLS_AES_128_GCM_SHA256',
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  ...ECDHE,
  'TLS_RSA_WITH_AES_128_CBC_SHA',
  'TLS_RSA_WITH_AES_128_GCM_SHA256',
  'TLS_RSA_WITH_AES_256_CBC_SHA',
  'TLS_RSA_WITH_AES_256_GCM_SHA384',
  // insecure suites, which are accepted too
  'TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256',
  'TLS_ECDHE_ECDSA_WITH_RC4_128_SHA',
  'TLS_ECDHE_RSA_WITH_3DES_EDE_CBC_SHA',
  'TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256',
  'TLS_ECDHE_RSA_WITH_RC4_128_SHA',
  'TLS_RSA_WITH_3DES_EDE_CBC_SHA',
  'TLS_RSA_WITH_AES_128_CBC_SHA256',
  'TLS_RSA_WITH_RC4_128_SHA',
];

/** Why the text is not a minimum TLS version; undefined: it is one. The empty text means the runtime's default. */
export function tlsVersionProblem(version: string): string | undefined {
  return version === '' || VERSIONS.includes(version)
    ? undefined
    : `unknown tls version ${quote(version)}: expected one of ${VERSIONS.join(', ')}${didYouMean(version, VERSIONS)}`;
}

/** Why the text is not a cipher suite; undefined: it is one. */
export function cipherSuiteProblem(suite: string): string | undefined {
  return SUITES.includes(suite) ? undefined : `Cipher suite ${suite} not supported or doesn't exist${didYouMean(suite, SUITES)}`;
}
