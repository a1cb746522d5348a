/**
 * Command-line flags as the real processes read them: `--name=value`, `--name value`, `--switch`, `_` for `-`, lists and maps that grow when
 * repeated, and the error texts. Models: spf13/pflag as v1.24's component-base uses it.
 */
import { atoi, didYouMean, formatGoDuration, isValidIp, parseGoDuration, quote } from '../../schema/values/index.ts';
import { type CertKey, isTaintEffect, type Setting, type TaintSetting } from './settings.ts';

export type FlagSpec = Omit<Setting, 'flag' | 'flagDefault'>;

export interface ReadFlags {
  readonly values: ReadonlyMap<string, unknown>;
  readonly errors: readonly FlagError[];
  readonly positional: readonly string[];
}

export interface FlagError {
  readonly flag: string;
  readonly message: string;
}

export function readFlags(args: readonly string[], specs: ReadonlyMap<string, FlagSpec>): ReadFlags {
  const values = new Map<string, unknown>();
  const errors: FlagError[] = [];
  const positional: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? '';
    if (arg === '--') {
      positional.push(...args.slice(at + 1));
      break;
    }
    if (!arg.startsWith('-') || arg === '-') {
      positional.push(arg);
      continue;
    }
    if (!arg.startsWith('--') && arg !== '-h') {
      errors.push({ flag: arg, message: `unknown shorthand flag: ${quote(arg.charAt(1)).replaceAll('"', "'")} in ${arg}` });
      continue;
    }
    const equals = arg.indexOf('=');
    const name = arg === '-h' ? 'help' : arg.slice(2, equals < 0 ? undefined : equals).replaceAll('_', '-');
    const spec = specs.get(name);
    if (spec === undefined) {
      const known = [...specs.keys()].map((other) => `--${other}`);
      errors.push({ flag: `--${name}`, message: `unknown flag: --${name}${didYouMean(`--${name}`, known)}` });
      // The next argument is most likely its value: one mistake, one message.
      if (equals < 0 && args[at + 1]?.startsWith('-') === false) at++;
      continue;
    }
    let text = equals < 0 ? undefined : arg.slice(equals + 1);
    if (text === undefined && spec.type === 'bool') text = 'true';
    if (text === undefined) {
      text = args[++at];
      if (text === undefined) {
        errors.push({ flag: `--${name}`, message: `flag needs an argument: --${name}` });
        break;
      }
    }
    const read = readText(spec, text, values.get(name));
    if (read.error !== undefined)
      errors.push({ flag: `--${name}`, message: `invalid argument ${quote(text)} for "--${name}" flag: ${read.error}` });
    else values.set(name, read.value);
  }
  return { values, errors, positional };
}

/** The value in a flag's text; lists and maps are added to `before`, the value of earlier occurrences. */
function readText(spec: FlagSpec, text: string, before?: unknown): Read {
  switch (spec.type) {
    case 'string':
      return { value: text };
    case 'bool':
      return readBool(text);
    case 'int32':
    case 'int64':
      return readInteger(text, spec.type === 'int32' ? 32 : 64);
    case 'float':
      return text.trim() !== '' && Number.isFinite(Number(text))
        ? { value: Number(text) }
        : { error: `strconv.ParseFloat: parsing ${quote(text)}: invalid syntax` };
    case 'ip':
      if (text === '' && spec.flagMayBeBlank === true) return { value: '' };
      return isValidIp(text.trim()).length === 0 ? { value: text.trim() } : { error: `failed to parse IP: ${quote(text)}` };
    case 'duration': {
      const duration = parseGoDuration(text);
      return duration.error === undefined ? { value: formatGoDuration(duration.value) } : duration;
    }
    case 'strings':
      return { value: [...((before as readonly string[] | undefined) ?? []), ...(text === '' ? [] : text.split(','))] };
    case 'stringMap':
      return spec.flagSyntax === 'csv'
        ? readCsvPairs(text, before)
        : readPairs(text, before, spec.flagSyntax === 'langle' ? '<' : '=', (value) => ({ value }));
    case 'boolMap':
      return readPairs(text, before, '=', readBool, 'missing bool value for ');
    case 'listMap':
      return readHeader(text, before);
    case 'taints':
      return readTaints(text, before);
    case 'certKeys':
      return readCertKey(text, before);
  }
}

const TRUE: ReadonlySet<string> = new Set(['1', 't', 'T', 'TRUE', 'true', 'True']);
const FALSE: ReadonlySet<string> = new Set(['0', 'f', 'F', 'FALSE', 'false', 'False']);

function readBool(text: string): Read {
  if (TRUE.has(text)) return { value: true };
  if (FALSE.has(text)) return { value: false };
  return { error: `strconv.ParseBool: parsing ${quote(text)}: invalid syntax` };
}

function readInteger(text: string, bits: 32 | 64): Read {
  const number = atoi(text);
  const size = bits === 32 ? 2_147_483_648 : 9_223_372_036_854_775_808;
  if (number.error !== undefined) return { error: number.error.replace('strconv.Atoi', 'strconv.ParseInt') };
  return number.value < size && number.value >= -size
    ? { value: number.value }
    : { error: `strconv.ParseInt: parsing ${quote(text)}: value out of range` };
}

function readPairs(text: string, before: unknown, separator: string, readItem: (text: string) => Read, missing?: string): Read {
  const pairs: Record<string, unknown> = { ...(before as Readonly<Record<string, unknown>> | undefined) };
  for (const pair of text.split(',')) {
    if (pair.trim() === '') continue;
    const at = pair.indexOf(separator);
    if (at < 0) return { error: missing === undefined ? `${pair} must be formatted as key${separator}value` : missing + pair.trim() };
    const key = pair.slice(0, at).trim();
    const item = readItem(pair.slice(at + 1).trim());
    if (item.error !== undefined) return { error: `invalid value of ${key}=${pair.slice(at + 1).trim()}, err: ${item.error}` };
    pairs[key] = item.value;
  }
  return { value: pairs };
}

/** `key=value:Effect` or `key:Effect`, separated by commas. */
function readTaints(text: string, before: unknown): Read {
  const taints: TaintSetting[] = [...((before as readonly TaintSetting[] | undefined) ?? [])];
  for (const spec of text.split(',').filter((part) => part !== '')) {
    const [pair = '', effect, ...rest] = spec.split(':');
    const [key = '', value, ...more] = pair.split('=');
    if (effect === undefined || rest.length > 0 || more.length > 0 || key === '') return { error: `invalid taint spec: ${spec}` };
    if (!isTaintEffect(effect)) return { error: `invalid taint spec: ${spec}: invalid taint effect: ${effect}` };
    taints.push({ key, ...(value === undefined || value === '' ? {} : { value }), effect });
  }
  return { value: taints };
}

/** `Name:value`, separated by commas; a name may have several values. */
function readHeader(text: string, before: unknown): Read {
  const headers: Record<string, readonly string[]> = { ...(before as Readonly<Record<string, readonly string[]>> | undefined) };
  for (const pair of text.split(',')) {
    const at = pair.indexOf(':');
    if (at < 0) return { error: `malformed pair, expect string:string` };
    const name = pair.slice(0, at);
    headers[name] = [...(headers[name] ?? []), pair.slice(at + 1)];
  }
  return { value: headers };
}

/**
 * The pairs of a text, added to those of earlier occurrences. Keys and values may contain commas: one pair is taken as it is, several are
 * comma-separated values in quotes. Models: spf13/pflag string_to_string.go.
 */
function readCsvPairs(text: string, before: unknown): Read {
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

type Read = { readonly value: unknown; readonly error?: undefined } | { readonly error: string };

/**
 * Appends a certificate with its key, and with the server names of clients that it is for, to those of earlier occurrences of the flag:
 * `cert,key` or `cert,key:*.example.com,example.com`. Models: v1.24 component-base cli/flag/namedcertkey_flag.go and apiserver
 * dynamiccertificates (named certificates, Go's crypto/tls lookup).
 */
function readCertKey(text: string, before: unknown): Read {
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
