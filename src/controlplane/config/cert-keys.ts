/**
 * Certificates by the server names of clients: `cert,key` or `cert,key:*.example.com,example.com`, once for each pair. Models: v1.24
 * component-base cli/flag/namedcertkey_flag.go and apiserver dynamiccertificates (named certificates, Go's crypto/tls lookup).
 */
import type { CertKey } from './settings.ts';
import type { Read } from './read.ts';

/** Appends a pair to those of earlier occurrences of the flag. */
export function readCertKey(text: string, before: unknown): Read {
  const colon = text.indexOf(':');
  const names =
    colon < 0
      ? []
      : text
          .slice(colon + 1)
          .split(',')
          .map((name) => name.trim());
  if (colon >= 0 && text.slice(colon + 1).trim() === '') return { error: 'empty names list is not allowed' };
  const [certFile = '', keyFile = '', more] = text
    .slice(0, colon < 0 ? undefined : colon)
    .split(',')
    .map((path) => path.trim());
  if (more !== undefined || certFile === '' || keyFile === '') return { error: 'expected comma separated certificate and key file paths' };
  const wrong = names.find((name) => !isPattern(name));
  if (wrong !== undefined) return { error: `${JSON.stringify(wrong)} is no domain, no address, and no pattern such as *.example.com` };
  return { value: [...((before as readonly CertKey[] | undefined) ?? []), { certFile, keyFile, names }] };
}

/** A domain whose labels may each be `*`, or an address. */
const isPattern = (name: string): boolean => /^(?:\*|[\w-]+)(?:\.(?:\*|[\w-]+))*\.?$/.test(name) || /^[\da-f:.]+$/i.test(name);

/**
 * The rank of a match; lower is better: an exact name, then a pattern with `*`. Patterns that a user gave come before names in a
 * certificate.
 */
function rank({ names }: CertKey, host: string): number | undefined {
  const requested = host.toLowerCase().replace(/\.$/, '');
  const ranks = names.map((name) => {
    const wanted = name.toLowerCase().replace(/\.$/, '');
    if (wanted === requested) return 0;
    const parts = wanted.split('.');
    const labels = requested.split('.');
    return wanted.includes('*') && parts.length === labels.length && parts.every((part, at) => part === '*' || part === labels[at])
      ? 1
      : undefined;
  });
  return ranks.filter((each) => each !== undefined).sort((a, b) => a - b)[0];
}

/**
 * The pair for a client that requests this name: exact names before patterns, the earlier of two equal ones; undefined: the default
 * certificate. Pairs without patterns use the names in their certificates, which are not read here, so they match nothing.
 */
export function certificateFor(pairs: readonly CertKey[], host: string): CertKey | undefined {
  const ranked = pairs.flatMap((pair) => {
    const is = rank(pair, host);
    return is === undefined ? [] : [{ pair, is }];
  });
  return ranked.sort((a, b) => a.is - b.is)[0]?.pair;
}
