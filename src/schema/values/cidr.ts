/**
 * Ranges of addresses, and which addresses are allowed where. Models: v1.24 k8s.io/utils/net (Go 1.16's net.ParseCIDR),
 * pkg/apis/core/validation ValidateNonSpecialIP, pkg/apis/networking/validation ValidateIPBlock.
 */
import { invalid, required, type FieldProblem } from './field-problem.ts';
import { type Ip, isIpv4, isMapped, parseIp, parseV4, parseV6, shortest, words } from './names.ts';
import { bad, good, memoised, type Parsed } from './texts.ts';

export interface Cidr {
  /** The first address, host bits cleared. */
  readonly ip: Ip;
  /** The number of leading bits of `ip` that count. */
  readonly prefix: number;
  /** The number written after the slash; it differs from `prefix` for IPv4 written as IPv6. */
  readonly maskLength: number;
}

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
