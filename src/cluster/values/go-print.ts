/**
 * Values as Go prints them in error texts: `%q` for strings, `%v` for numbers, `%#v` for lists, maps and structs.
 * Models: Go 1.18 fmt, strconv.Quote, time.quote.
 */
import { compareText, utf8 } from './bytes.ts';

const NAMED: Readonly<Record<string, string>> = { '\x07': '\\a', '\b': '\\b', '\f': '\\f', '\n': '\\n', '\r': '\\r', '\t': '\\t', '\v': '\\v', '"': '\\"', '\\': '\\\\' };
const PLAIN = /^[ !#-[\]-~]*$/;
const PRINTABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S}]$/u;

const hex = (value: number, width: number): string => value.toString(16).padStart(width, '0');

/** A string as `%q` prints it. */
export function quote(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`;
  let out = '"';
  for (const char of text) {
    const point = char.codePointAt(0) ?? 0;
    const named = NAMED[char];
    if (named !== undefined) out += named;
    else if (point < 0x20 || point === 0x7f) out += `\\x${hex(point, 2)}`;
    else if (point < 0x7f) out += char;
    else if (point >= 0xd800 && point < 0xe000) out += '\ufffd';
    else if (PRINTABLE.test(char)) out += char;
    else out += point < 0x10000 ? `\\u${hex(point, 4)}` : `\\U${hex(point, 8)}`;
  }
  return `${out}"`;
}

/** A string as package `time` quotes it: bytes outside printable ASCII in hexadecimal. */
export function quoteTime(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`;
  let out = '"';
  for (const char of text) {
    const point = char.codePointAt(0) ?? 0;
    if (point < 0x20 || point >= 0x80) for (const byte of utf8(point)) out += `\\x${hex(byte, 2)}`;
    else out += char === '"' || char === '\\' ? `\\${char}` : char;
  }
  return `${out}"`;
}

/** The Go type of a value to be printed with `%#v`. Field names and their order are Go's. */
export type GoType =
  | { readonly type: 'string' | 'int' | 'uint' | 'float' | 'bool'; readonly name?: string }
  | { readonly type: 'pointer'; readonly to: GoType }
  | { readonly type: 'list'; readonly of: GoType; readonly name?: string }
  | { readonly type: 'map'; readonly of: GoType; readonly name?: string }
  | { readonly type: 'struct'; readonly name: string; readonly fields: readonly GoField[] };

export interface GoField {
  /** The Go name: `NodeID`. */
  readonly go: string;
  /** The member of the value: `nodeID`. */
  readonly json: string;
  readonly is: GoType;
}

const BASIC: Readonly<Record<string, string>> = { string: 'string', int: 'int32', uint: 'uint64', float: 'float64', bool: 'bool' };

/** The name of a type as `%T` prints it. */
export function goTypeName(type: GoType): string {
  switch (type.type) {
    case 'pointer': return `*${goTypeName(type.to)}`;
    case 'list': return type.name ?? `[]${goTypeName(type.of)}`;
    case 'map': return type.name ?? `map[string]${goTypeName(type.of)}`;
    case 'struct': return type.name;
    default: return type.name ?? BASIC[type.type] ?? 'string';
  }
}

/** A string, number or truth value as `%v` prints it; anything else as JSON, so that nothing is hidden. */
export function goScalar(value: unknown): string {
  switch (typeof value) {
    case 'string': return value;
    case 'number': case 'bigint': case 'boolean': return String(value);
    case 'object': return JSON.stringify(value);
    default: return '<nil>';
  }
}

/** A value of a known Go type as `%#v` prints it. Addresses are made up: nobody can know the real ones. */
export function goSyntax(value: unknown, type: GoType): string {
  const name = goTypeName(type);
  switch (type.type) {
    case 'string': return quote(typeof value === 'string' ? value : '');
    case 'uint': return `0x${BigInt(Number(value ?? 0)).toString(16)}`;
    case 'pointer': return value === undefined || value === null ? `(${name})(nil)` : `(${name})(0xc000000000)`;
    case 'list': return Array.isArray(value) ? `${name}{${value.map((item) => goSyntax(item, type.of)).join(', ')}}` : `${name}(nil)`;
    case 'map': return isMembers(value) ? `${name}{${entriesOf(value, type.of)}}` : `${name}(nil)`;
    case 'struct': return `${name}{${fieldsOf(isMembers(value) ? value : {}, type.fields)}}`;
    default: return goScalar(value ?? (type.type === 'bool' ? false : 0));
  }
}

const entriesOf = (map: Members, of: GoType): string => Object.keys(map).toSorted(compareText).map((key) => `${quote(key)}:${goSyntax(map[key], of)}`).join(', ');
const fieldsOf = (struct: Members, fields: readonly GoField[]): string => fields.map((field) => `${field.go}:${goSyntax(struct[field.json], field.is)}`).join(', ');

type Members = Readonly<Record<string, unknown>>;

const isMembers = (value: unknown): value is Members => typeof value === 'object' && value !== null && !Array.isArray(value);

/** A list of strings as `%#v` prints it; Go drops an empty list read from JSON to nil in most places, so does this. */
export const goStrings = (values: readonly string[] | undefined): string =>
  values === undefined || values.length === 0 ? '[]string(nil)' : `[]string{${values.map(quote).join(', ')}}`;
