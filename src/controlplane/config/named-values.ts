/**
 * Texts of settings that must be known names: TLS versions and cipher suites, sysctls. Models: v1.24 component-base
 * cli/flag/ciphersuites_flag.go with Go 1.18.
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

export function cipherSuiteProblem(suite: string): string | undefined {
  return SUITES.includes(suite) ? undefined : `Cipher suite ${suite} not supported or doesn't exist${didYouMean(suite, SUITES)}`;
}

const MAX_LENGTH = 253;
const SEGMENT = '[a-z0-9](?:[-_a-z0-9]*[a-z0-9])?';
const PATTERN = new RegExp(`^(?:${SEGMENT}[./])*(?:[a-z0-9][-_a-z0-9]*)?[a-z0-9*]$`);

/** Sysctls that are namespaced, so that each pod has its own: one by name, others by prefix. */
const NAMESPACED = new Set(['kernel.sem']);
const PREFIXES = ['kernel.shm', 'kernel.msg', 'fs.mqueue.', 'net.'];

/**
 * Why an agent cannot allow the sysctls of a pattern; undefined: it can. Models: v1.24 pkg/kubelet/sysctl (allowlist.go, namespace.go) and
 * pkg/security/podsecuritypolicy/sysctl patterns.
 */
export function sysctlProblem(pattern: string): string | undefined {
  if (pattern.length > MAX_LENGTH || !PATTERN.test(pattern))
    return `sysctl ${quote(pattern)} must have at most ${MAX_LENGTH} characters and be a name such as net.core.somaxconn, or end in * as net.* does`;
  const name = pattern.replaceAll('/', '.').replace(/\*$/, '');
  if (NAMESPACED.has(name) || PREFIXES.some((prefix) => name.startsWith(prefix))) return undefined;
  return `the sysctl ${quote(pattern)} is not known to be namespaced: those of ${PREFIXES.map((prefix) => `${prefix}*`).join(', ')} and kernel.sem are`;
}

/** All or nothing of the capacity switches a threshold of eviction off. */
export const isOff = (threshold: string): boolean => threshold.endsWith('%') && [0, 100].includes(Number(threshold.slice(0, -1)));
