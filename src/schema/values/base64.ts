/** Text from base64, without the host's help. */
const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** The UTF-8 text of base64 that is known to be such; what is no text shows as replacement characters. */
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

/** Whether a text is base64 as RFC 4648 has it, padding included, and not empty. */
export const isBase64 = (text: string): boolean => text.length > 0 && text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text);
