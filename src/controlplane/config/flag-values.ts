/** Values of flags with a syntax of their own: pairs that may contain commas, certificates with their keys. */
import type { CertKey } from './settings.ts';

/**
 * The pairs of a text, added to those of earlier occurrences. Keys and values may contain commas: one pair is taken as it is, several are
 * comma-separated values in quotes. Models: spf13/pflag string_to_string.go.
 */
export function readCsvPairs(text: string, before: unknown): Read {
  const pairs = new Map(Object.entries((before as Readonly<Record<string, string>> | undefined) ?? {}));
  const records = (text.match(/=/g) ?? []).length > 1 ? splitRecord(text) : [text.replace(/^"+|"+$/g, '')];
  if (records === undefined) return { error: 'parse error on line 1, column 1: extraneous or missing " in quoted-field' };
  for (const record of records) {
    const at = record.indexOf('=');
    if (at < 0) return { error: `${record} must be formatted as key=value` };
    pairs.set(record.slice(0, at), record.slice(at + 1));
  }
  return { value: Object.fromEntries(pairs) };
}

/** The fields of one line of comma-separated values; undefined where quotes are unbalanced. */
function splitRecord(line: string): readonly string[] | undefined {
  const field = /"((?:[^"]|"")*)"(?=,|$)|[^",]*(?=,|$)/y;
  const fields: string[] = [];
  for (let at = 0; at <= line.length;) {
    field.lastIndex = at;
    const found = field.exec(line);
    if (found === null) return undefined;
    fields.push(found[1]?.replaceAll('""', '"') ?? found[0]);
    at += found[0].length + 1;
  }
  return fields;
}

/** The result of parsing the text of a flag. */
export type Read = { readonly value: unknown; readonly error?: undefined } | { readonly error: string };

/**
 * Appends a certificate with its key, and with the server names of clients that it is for, to those of earlier occurrences of the flag:
 * `cert,key` or `cert,key:*.example.com,example.com`. Models: v1.24 component-base cli/flag/namedcertkey_flag.go and apiserver
 * dynamiccertificates (named certificates, Go's crypto/tls lookup).
 */
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
