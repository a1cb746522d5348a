/**
 * The syntax of names and of addresses. Every check returns what is wrong, in upstream's words; an empty list means a valid name. Addresses
 * are read as leniently as upstream reads them: leading zeros count as decimal. Models: v1.24 apimachinery pkg/util/validation,
 * pkg/api/validation/path; Go 1.16's net.ParseIP.
 */
import { invalid, required, type FieldProblem } from './field-problem.ts';
import { byteLength } from './texts.ts';

type Errors = readonly string[];
const NONE: Errors = Object.freeze([]);

/** Returns the error text for a name that does not match a pattern. */
export function regexError(message: string, source: string, ...examples: readonly string[]): string {
  if (examples.length === 0) return `${message} (regex used for validation is '${source}')`;
  return `${message} (e.g. ${examples.map((example) => `'${example}', `).join(' or ')}regex used for validation is '${source}')`;
}

type Grammar = ReturnType<typeof grammar>;

/** A pattern and its explanation: the pattern that errors print is the one that is applied. */
/* @__NO_SIDE_EFFECTS__ */
const grammar = (source: string, message: string, ...examples: readonly string[]) => ({
  pattern: new RegExp(`^${source}$`),
  error: regexError(message, source, ...examples),
});

const LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const SUBDOMAIN = `${LABEL}(\\.${LABEL})*`;
const QUALIFIED = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const QUALIFIED_MESSAGE = "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";

const DNS1123_LABEL = grammar(
  LABEL,
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
  'my-name',
  '123-abc',
);
const DNS1123_SUBDOMAIN = grammar(
  SUBDOMAIN,
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
  'example.com',
);
const DNS1035_LABEL = grammar(
  '[a-z]([-a-z0-9]*[a-z0-9])?',
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
  'my-name',
  'abc-123',
);
const WILDCARD = grammar(
  `\\*\\.${SUBDOMAIN}`,
  "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character",
  '*.example.com',
);
const QUALIFIED_NAME = grammar(QUALIFIED, QUALIFIED_MESSAGE, 'MyName', 'my.name', '123-abc');
const LABEL_VALUE = grammar(
  `(${QUALIFIED})?`,
  `a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character`,
  'MyValue',
  'my_value',
  '12345',
);
const CONFIG_MAP_KEY = grammar(
  '[-._a-zA-Z0-9]+',
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
  'key.name',
  'KEY_NAME',
  'key-name',
);
const ENV_VAR = grammar(
  '[-._a-zA-Z][-._a-zA-Z0-9]*',
  "a valid environment variable name must consist of alphabetic characters, digits, '_', '-', or '.', and must not start with a digit",
  'my.env-name',
  'MY_ENV.NAME',
  'MyEnvName1',
);
const HTTP_HEADER = grammar('[-A-Za-z0-9]+', "a valid HTTP header must consist of alphanumeric characters or '-'", 'X-Header-Name');
const PERCENT = grammar('[0-9]+%', "a valid percent string must be a numeric string followed by an ending '%'", '1%', '93%');
const HTTP_PATH = grammar("[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+", 'Invalid path');

const MAX_LABEL = 63;
const MAX_SUBDOMAIN = 253;

const maxLengthError = (limit: number): string => `must be no more than ${limit} characters`;

/** Checks the length, then the pattern. A valid name allocates nothing. */
function check(text: string, limit: number, { pattern, error }: Grammar): Errors {
  const long = text.length * 3 > limit && byteLength(text) > limit;
  const matches = pattern.test(text);
  if (!long && matches) return NONE;
  return [...(long ? [maxLengthError(limit)] : []), ...(matches ? [] : [error])];
}

const ANY_LENGTH = Number.MAX_SAFE_INTEGER;

export const isDns1123Label = (text: string): Errors => check(text, MAX_LABEL, DNS1123_LABEL);
export const isDns1123Subdomain = (text: string): Errors => check(text, MAX_SUBDOMAIN, DNS1123_SUBDOMAIN);
export const isDns1035Label = (text: string): Errors => check(text, MAX_LABEL, DNS1035_LABEL);
export const isWildcardDns1123Subdomain = (text: string): Errors => check(text, MAX_SUBDOMAIN, WILDCARD);
export const isValidLabelValue = (text: string): Errors => check(text, MAX_LABEL, LABEL_VALUE);
export const isHttpHeaderName = (text: string): Errors => check(text, ANY_LENGTH, HTTP_HEADER);
export const isValidPercent = (text: string): Errors => check(text, ANY_LENGTH, PERCENT);
export const isConfigMapKey = (text: string): Errors => withoutDots(text, check(text, MAX_SUBDOMAIN, CONFIG_MAP_KEY));
export const isEnvVarName = (text: string): Errors => withoutDots(text, check(text, ANY_LENGTH, ENV_VAR));

/** Refuses names that would leave their directory when used as a file name. */
function withoutDots(text: string, errors: Errors): Errors {
  if (!text.startsWith('.')) return errors;
  if (text === '.' || text === '..') return [...errors, `must not be '${text}'`];
  return text.startsWith('..') ? [...errors, "must not start with '..'"] : errors;
}

/** Checks a label key, taint key, condition type …: a name with an optional DNS prefix. */
export function isQualifiedName(text: string): Errors {
  const slash = text.indexOf('/');
  if (slash >= 0 && text.includes('/', slash + 1))
    return [`a qualified name ${QUALIFIED_NAME.error} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`];
  const name = slash < 0 ? text : text.slice(slash + 1);
  const named = name === '' ? ['non-empty', QUALIFIED_NAME.error] : check(name, MAX_LABEL, QUALIFIED_NAME);
  const prefixed = slash < 0 ? NONE : slash === 0 ? ['must be non-empty'] : isDns1123Subdomain(text.slice(0, slash));
  if (named.length === 0 && prefixed.length === 0) return NONE;
  return [
    ...prefixed.map((error) => `prefix part ${error}`),
    ...named.map((error) => `name part ${error === 'non-empty' ? 'must be non-empty' : error}`),
  ];
}

const ONE_LETTER = /[a-z]/;
const PORT_CHARACTERS = /^[-a-z0-9]+$/;

/** Checks the name of a port: an IANA service name. */
export function isValidPortName(text: string): Errors {
  const errors: string[] = [];
  if (byteLength(text) > 15) errors.push(maxLengthError(15));
  if (!PORT_CHARACTERS.test(text)) errors.push('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)');
  if (!ONE_LETTER.test(text)) errors.push('must contain at least one letter or number (a-z, 0-9)');
  if (text.includes('--')) errors.push('must not contain consecutive hyphens');
  if (text.startsWith('-') || text.endsWith('-')) errors.push('must not begin or end with a hyphen');
  return errors;
}

export const isInRange = (value: number, low: number, high: number): Errors =>
  value >= low && value <= high ? NONE : [`must be between ${low} and ${high}, inclusive`];
export const isValidPortNumber = (port: number): Errors => isInRange(port, 1, 65535);

/** An address as 32-bit words: one for IPv4 (also when written as `::ffff:1.2.3.4`), four for IPv6. */
export type Ip = readonly number[];

const [ZERO, NINE, DOT, COLON] = [48, 57, 46, 58];

/** Parsed character by character, because every pod status has an address. */
export function parseV4(text: string): number | undefined {
  let word = 0;
  let octet: number | undefined;
  let dots = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === DOT && octet !== undefined && dots < 3) {
      word = word * 256 + octet;
      octet = undefined;
      dots++;
    } else if (code >= ZERO && code <= NINE) {
      octet = (octet ?? 0) * 10 + code - ZERO;
      if (octet > 255) return undefined;
    } else return undefined;
  }
  return dots === 3 && octet !== undefined ? word * 256 + octet : undefined;
}

/** Eight 16-bit groups; undefined where malformed. */
export function parseV6(text: string): readonly number[] | undefined {
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const [head = '', tail] = halves;
  const front = groups(head, tail === undefined);
  const back = tail === undefined ? [] : groups(tail, true);
  if (front === undefined || back === undefined) return undefined;
  const missing = 8 - front.length - back.length;
  if (tail === undefined ? missing !== 0 : missing < 1) return undefined;
  return [...front, ...Array.from({ length: missing }, () => 0), ...back];
}

function groups(text: string, last: boolean): readonly number[] | undefined {
  if (text === '') return [];
  const parts = text.split(':');
  const found: number[] = [];
  for (const [at, part] of parts.entries()) {
    if (last && at === parts.length - 1 && part.includes('.')) {
      const v4 = parseV4(part);
      if (v4 === undefined) return undefined;
      found.push(Math.floor(v4 / 65536), v4 % 65536);
    } else {
      if (!/^[0-9a-fA-F]+$/.test(part)) return undefined;
      const group = Number.parseInt(part, 16);
      if (group > 0xffff) return undefined;
      found.push(group);
    }
  }
  return found;
}

const word = (high: number | undefined, low: number | undefined): number => (high ?? 0) * 65536 + (low ?? 0);
export const words = (g: readonly number[]): Ip => [word(g[0], g[1]), word(g[2], g[3]), word(g[4], g[5]), word(g[6], g[7])];
export const isMapped = (ip: Ip): boolean => ip.length === 4 && ip[0] === 0 && ip[1] === 0 && ip[2] === 0xffff;
export const shortest = (ip: Ip): Ip => (isMapped(ip) ? ip.slice(3) : ip);

/** The first character that distinguishes IPv4 from IPv6. */
function separatorOf(text: string): number | undefined {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === DOT || code === COLON) return code;
  }
  return undefined;
}

/** Returns an address of either family; undefined: the text is not one. Zones, ports and brackets are not accepted. */
export function parseIp(text: string): Ip | undefined {
  const first = separatorOf(text);
  if (first === DOT) {
    const v4 = parseV4(text);
    return v4 === undefined ? undefined : [v4];
  }
  const v6 = first === COLON ? parseV6(text) : undefined;
  return v6 === undefined ? undefined : shortest(words(v6));
}

export const isIpv4 = (ip: Ip): boolean => ip.length === 1;

export const isValidIp = (text: string): Errors =>
  parseIp(text) === undefined ? ['must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'] : NONE;

/** Checks a name that must be one segment of a URL path. */
export function isValidPathSegmentName(text: string): Errors {
  return text === '.' || text === '..' ? [`may not be '${text}'`] : isValidPathSegmentPrefix(text);
}

/** Checks the beginning of a name that must be one segment of a URL path. */
export function isValidPathSegmentPrefix(text: string): Errors {
  if (!text.includes('/') && !text.includes('%')) return NONE;
  return ['/', '%'].filter((part) => text.includes(part)).map((part) => `may not contain '${part}'`);
}

/** Checks a `generateName` base: the same syntax, where a final `-` stands for the letter that will follow. */
export function asPrefix(isName: (text: string) => Errors): (text: string) => Errors {
  return (text) => isName(text.length > 1 && text.endsWith('-') ? `${text.slice(0, -2)}a` : text);
}

export function validateFullyQualifiedDomainName(text: string, field: string): readonly FieldProblem[] {
  if (text === '') return [required(field)];
  const name = text.endsWith('.') ? text.slice(0, -1) : text;
  const errors = isDns1123Subdomain(name);
  if (errors.length > 0) return [invalid(field, name, errors.join(','))];
  const labels = name.split('.');
  if (labels.length < 2) return [invalid(field, name, 'should be a domain with at least two segments separated by dots')];
  const broken = labels.find((label) => isDns1123Label(label).length > 0);
  return broken === undefined ? [] : [invalid(field, broken, isDns1123Label(broken).join(','))];
}

/** Checks the name of a finalizer or signer: `acme.io/foo`. */
export function validateDomainPrefixedPath(text: string, field: string): readonly FieldProblem[] {
  if (text === '') return [required(field)];
  const slash = text.indexOf('/');
  const host = text.slice(0, Math.max(0, slash));
  const path = text.slice(slash + 1);
  if (host === '' || path === '') return [invalid(field, text, 'must be a domain-prefixed path (such as "acme.io/foo")')];
  const problems = isDns1123Subdomain(host).map((error) => invalid(field, host, error));
  return HTTP_PATH.pattern.test(path) ? problems : [...problems, invalid(field, path, HTTP_PATH.error)];
}
