/** Text as UTF-8 bytes: Go measures and sorts strings in UTF-8 bytes, JavaScript in UTF-16 units. */

/** Length in UTF-8 bytes; a lone surrogate counts as the replacement character that it becomes. */
export function byteLength(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) continue;
    if (unit < 0x800) bytes += 1;
    else if (unit >= 0xd800 && unit < 0xdc00 && isLow(text.charCodeAt(at + 1))) {
      bytes += 2;
      at++;
    } else bytes += 2;
  }
  return bytes;
}

const isLow = (unit: number): boolean => unit >= 0xdc00 && unit < 0xe000;

/** The UTF-8 bytes of one code point. */
export function utf8(point: number): readonly number[] {
  if (point < 0x80) return [point];
  if (point < 0x800) return [0xc0 | (point >> 6), 0x80 | (point & 0x3f)];
  if (point >= 0xd800 && point < 0xe000) return utf8(0xfffd);
  if (point < 0x10000) return [0xe0 | (point >> 12), 0x80 | ((point >> 6) & 0x3f), 0x80 | (point & 0x3f)];
  return [0xf0 | (point >> 18), 0x80 | ((point >> 12) & 0x3f), 0x80 | ((point >> 6) & 0x3f), 0x80 | (point & 0x3f)];
}

/** Compares texts by their UTF-8 bytes: the order of the store's keys and of every sorted list upstream. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  const end = Math.min(a.length, b.length);
  for (let at = 0; at < end; at++) {
    const x = a.charCodeAt(at);
    const y = b.charCodeAt(at);
    if (x === y) continue;
    // Code points of surrogates are above every other unit, although their unit values are not.
    const xHigh = x >= 0xd800 && x < 0xe000;
    const yHigh = y >= 0xd800 && y < 0xe000;
    if (xHigh !== yHigh) return xHigh ? 1 : -1;
    return x < y ? -1 : 1;
  }
  return a.length < b.length ? -1 : 1;
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Decodes valid base64 as UTF-8; invalid UTF-8 becomes replacement characters. */
export const textOfBase64 = (base64: string): string => new TextDecoder().decode(bytesOfBase64(base64));

/** Decodes valid base64. */
export function bytesOfBase64(base64: string): Uint8Array {
  const bytes: number[] = [];
  let bits = 0;
  let count = 0;
  for (const digit of base64.replaceAll('=', '')) {
    bits = ((bits << 6) | DIGITS.indexOf(digit)) & 0xffff;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes.push((bits >> count) & 0xff);
  }
  return new Uint8Array(bytes);
}

/** Whether a text is non-empty base64 as RFC 4648 defines it, padding included. */
export const isBase64 = (text: string): boolean => text.length > 0 && text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text);

/** Encodes a text, as UTF-8, in base64. */
export const base64OfText = (text: string): string => base64OfBytes(new TextEncoder().encode(text));

/** Encodes bytes in base64. */
export function base64OfBytes(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}
