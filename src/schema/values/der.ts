/** Encodings of certificates: DER (values as tag, length and content), and PEM around it. Models: ITU-T X.690, for what certificates need. */
import { textOfBase64 } from './texts.ts';

export interface DerValue {
  readonly tag: number;
  readonly content: Uint8Array;
  /** With tag and length. */
  readonly raw: Uint8Array;
}

export const DER = {
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  oid: 0x06,
  utf8: 0x0c,
  sequence: 0x30,
  set: 0x31,
} as const;

/** A number of members that no certificate request comes near. */
const MOST_MEMBERS = 4096;

/** Returns the values one after the other in some bytes; undefined: these are not DER. */
export function derValues(bytes: Uint8Array): readonly DerValue[] | undefined {
  const values: DerValue[] = [];
  for (let at = 0; at < bytes.length;) {
    const value = valueAt(bytes, at);
    if (value === undefined || values.length === MOST_MEMBERS) return undefined;
    values.push(value);
    at += value.raw.length;
  }
  return values;
}

/** The least length that needs so many octets. */
const LEAST = [0, 0x80, 0x100, 0x10000];

function valueAt(bytes: Uint8Array, at: number): DerValue | undefined {
  const [tag, first] = [bytes[at], bytes[at + 1]];
  if (tag === undefined || first === undefined || (tag & 0x1f) === 0x1f) return undefined;
  let start = at + 2;
  let length = first;
  if (first >= 0x80) {
    const count = first & 0x7f;
    if (count === 0 || count > 3) return undefined;
    length = 0;
    for (let i = 0; i < count; i++) length = length * 256 + (bytes[start++] ?? NaN);
    // A length has the shortest form.
    if (!(length >= (LEAST[count] ?? Infinity))) return undefined;
  }
  const end = start + length;
  return end <= bytes.length ? { tag, content: bytes.subarray(start, end), raw: bytes.subarray(at, end) } : undefined;
}

/** Returns the members of a value with a tag; undefined: it has another one. */
export const derMembers = (value: DerValue | undefined, tag: number): readonly DerValue[] | undefined =>
  value?.tag === tag ? derValues(value.content) : undefined;

/** Encodes a value. */
export function der(tag: number, ...parts: readonly Uint8Array[]): Uint8Array {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const sizes: number[] = [];
  if (length < 0x80) sizes.push(length);
  else {
    for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) sizes.unshift(rest % 256);
    sizes.unshift(0x80 | sizes.length);
  }
  const made = new Uint8Array(1 + sizes.length + length);
  made[0] = tag;
  made.set(sizes, 1);
  let at = 1 + sizes.length;
  for (const part of parts) {
    made.set(part, at);
    at += part.length;
  }
  return made;
}

/** Encodes an object identifier such as `2.5.29.15`. */
export function derOid(dotted: string): Uint8Array {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  const bytes = [first * 40 + second];
  for (const part of rest) {
    const digits = [part & 0x7f];
    for (let left = part >>> 7; left > 0; left >>>= 7) digits.unshift(0x80 | (left & 0x7f));
    bytes.push(...digits);
  }
  return der(DER.oid, Uint8Array.from(bytes));
}

/** Encodes bits, of which the last octet has some that are not used. */
export const derBits = (bytes: Uint8Array, unused = 0): Uint8Array => der(DER.bitString, Uint8Array.of(unused), bytes);

const BLOCK = /-----BEGIN ([A-Z0-9 ]+)-----\r?\n([A-Za-z0-9+/=\r\n]+)-----END \1-----/g;

/** Returns the PEM blocks in base64, with their bodies, which should be base64 themselves. */
export const pemBlocks = (base64: string): readonly { readonly type: string; readonly body: string }[] =>
  [...textOfBase64(base64).matchAll(BLOCK)].map(([, type = '', body = '']) => ({ type, body: body.replace(/[\r\n]/g, '') }));
