/** Decodes base64 without functions of the host. */
const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Decodes valid base64 as UTF-8; invalid UTF-8 becomes replacement characters. */
export function textOfBase64(base64: string): string {
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
  return new TextDecoder().decode(new Uint8Array(bytes));
}

/** Whether a text is non-empty base64 as RFC 4648 defines it, padding included. */
export const isBase64 = (text: string): boolean => text.length > 0 && text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text);
