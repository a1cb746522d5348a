/**
 * IP addresses and ranges, read as leniently as upstream reads them (leading zeros count as decimal), and their checks. Models: v1.24
 * k8s.io/utils/net (Go 1.16's net.ParseIP and ParseCIDR), pkg/apis/core/validation ValidateNonSpecialIP, pkg/apis/networking/validation
 * ValidateIPBlock.
 */
import { bad, good, memoised, type Parsed } from './parsed.ts';
import { invalid, required, type FieldProblem } from './field-problem.ts';

/** An address as 32-bit words: one for IPv4 (also when written as `::ffff:1.2.3.4`), four for IPv6. */
export type Ip = readonly number[];

export interface Cidr {
  /** The first address, host bits cleared. */
  readonly ip: Ip;
  /** The number of leading bits of `ip` that count. */
  readonly prefix: number;
  /** The number written after the slash; it differs from `prefix` for IPv4 written as IPv6. */
  readonly maskLength: number;
}

const [ZERO, NINE, DOT, COLON] = [48, 57, 46, 58];

/** Parsed character by character, because every pod status has an address. */
function parseV4(text: string): number | undefined {
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
function parseV6(text: string): readonly number[] | undefined {
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
const words = (g: readonly number[]): Ip => [word(g[0], g[1]), word(g[2], g[3]), word(g[4], g[5]), word(g[6], g[7])];
const isMapped = (ip: Ip): boolean => ip.length === 4 && ip[0] === 0 && ip[1] === 0 && ip[2] === 0xffff;
const shortest = (ip: Ip): Ip => (isMapped(ip) ? ip.slice(3) : ip);

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

/** Returns an address in its shortest usual form. */
export function formatIp(ip: Ip): string {
  if (isIpv4(ip)) {
    const [v4 = 0] = ip;
    return [24, 16, 8, 0].map((shift) => (v4 >>> shift) & 255).join('.');
  }
  const all = ip.flatMap((w) => [Math.floor(w / 65536), w % 65536]);
  const gap = longestZeros(all);
  const hex = (from: number, to: number): string =>
    all
      .slice(from, to)
      .map((group) => group.toString(16))
      .join(':');
  return gap === undefined ? hex(0, 8) : `${hex(0, gap.from)}::${hex(gap.to, 8)}`;
}

function longestZeros(all: readonly number[]): { readonly from: number; readonly to: number } | undefined {
  let best: { readonly from: number; readonly to: number } | undefined;
  for (let from = 0; from < all.length; from++) {
    let to = from;
    while (all[to] === 0) to++;
    if (to - from > (best === undefined ? 1 : best.to - best.from)) best = { from, to };
    from = Math.max(from, to);
  }
  return best;
}

/** The bits of word `at` that a prefix covers. */
function maskWord(prefix: number, at: number): number {
  const bits = Math.min(32, Math.max(0, prefix - at * 32));
  return bits === 0 ? 0 : (0xffffffff << (32 - bits)) >>> 0;
}

const masked = (ip: Ip, prefix: number): Ip => ip.map((w, at) => (w & maskWord(prefix, at)) >>> 0);

function readCidr(text: string): Parsed<Cidr> {
  const wrong = bad(`invalid CIDR address: ${text}`);
  const slash = text.indexOf('/');
  if (slash < 0) return wrong;
  const address = text.slice(0, slash);
  const digits = text.slice(slash + 1);
  if (!/^[0-9]+$/.test(digits)) return wrong;
  const maskLength = Number(digits);
  const v4 = parseV4(address);
  if (v4 !== undefined) return maskLength > 32 ? wrong : good({ ip: masked([v4], maskLength), prefix: maskLength, maskLength });
  const v6 = parseV6(address);
  if (v6 === undefined || maskLength > 128) return wrong;
  const ip = masked(words(v6), maskLength);
  return good(isMapped(ip) ? { ip: shortest(ip), prefix: maskLength - 96, maskLength } : { ip, prefix: maskLength, maskLength });
}

/** Parses a range such as `10.0.0.0/8`; host bits may be set and are cleared. Results are cached. */
export const parseCidr: (text: string) => Parsed<Cidr> = memoised(readCidr, 1024);

/** Whether an address lies in a range of its own family. */
function cidrContains(cidr: Cidr, ip: Ip): boolean {
  if (cidr.ip.length !== ip.length) return false;
  return ip.every((w, at) => ((w ^ (cidr.ip[at] ?? 0)) & maskWord(cidr.prefix, at)) === 0);
}

/** Whether an address passes an IPBlock: inside `cidr` and in none of `except`. Malformed parts match nothing. */
export function ipBlockContains(block: { readonly cidr: string; readonly except?: readonly string[] }, address: string): boolean {
  const ip = parseIp(address);
  if (ip === undefined) return false;
  const inside = (text: string): boolean => {
    const cidr = parseCidr(text);
    return cidr.error === undefined && cidrContains(cidr.value, ip);
  };
  return inside(block.cidr) && !(block.except ?? []).some(inside);
}

export function validateIpv4(text: string, field: string): readonly FieldProblem[] {
  const ip = parseIp(text);
  return ip !== undefined && isIpv4(ip) ? [] : [invalid(field, text, 'must be a valid IPv4 address')];
}

export function validateIpv6(text: string, field: string): readonly FieldProblem[] {
  const ip = parseIp(text);
  return ip !== undefined && !isIpv4(ip) ? [] : [invalid(field, text, 'must be a valid IPv6 address')];
}

/** Addresses that endpoints may not have: unspecified, loopback, link-local. */
export function validateNonSpecialIp(text: string, field: string): readonly FieldProblem[] {
  const ip = parseIp(text);
  if (ip === undefined) return [invalid(field, text, 'must be a valid IP address')];
  return SPECIAL.filter(({ is }) => is(ip)).map(({ says }) => invalid(field, text, says(text)));
}

const top = (ip: Ip, bits: number): number => (ip[0] ?? 0) >>> (32 - bits);

const SPECIAL: readonly { readonly is: (ip: Ip) => boolean; readonly says: (text: string) => string }[] = [
  { is: (ip) => ip.every((w) => w === 0), says: (text) => `may not be unspecified (${text})` },
  {
    is: (ip) => (isIpv4(ip) ? top(ip, 8) === 127 : ip[3] === 1 && ip.slice(0, 3).every((w) => w === 0)),
    says: () => 'may not be in the loopback range (127.0.0.0/8, ::1/128)',
  },
  {
    is: (ip) => (isIpv4(ip) ? top(ip, 16) === 0xa9fe : top(ip, 10) === 0x3fa),
    says: () => 'may not be in the link-local range (169.254.0.0/16, fe80::/10)',
  },
  {
    is: (ip) => (isIpv4(ip) ? top(ip, 24) === 0xe00000 : (top(ip, 16) & 0xff0f) === 0xff02),
    says: () => 'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)',
  },
];

/** Checks the `ipBlock` of a NetworkPolicy peer. A malformed exception ends the check, as upstream's does. */
export function validateIpBlock(
  block: { readonly cidr?: string; readonly except?: readonly string[] | null },
  field: string,
): readonly FieldProblem[] {
  if (block.cidr === undefined || block.cidr === '') return [required(`${field}.cidr`)];
  const outer = parseCidr(block.cidr);
  if (outer.error !== undefined) return [invalid(`${field}.cidr`, block.cidr, 'not a valid CIDR')];
  const problems: FieldProblem[] = [];
  for (const [at, except] of (block.except ?? []).entries()) {
    const path = `${field}.except[${at}]`;
    const inner = parseCidr(except);
    if (inner.error !== undefined) return [...problems, invalid(path, except, 'not a valid CIDR')];
    if (!cidrContains(outer.value, inner.value.ip) || outer.value.maskLength >= inner.value.maskLength)
      problems.push(invalid(path, except, 'must be a strict subset of `cidr`'));
  }
  return problems;
}
