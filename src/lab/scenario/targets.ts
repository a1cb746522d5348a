/**
 * Texts with a form of their own: instants, targets (how a step refers to objects), and patterns over the names of invariants. Short forms of
 * targets are `Kind/name`, `Kind/namespace/name` and, for the only one, `Kind`. Of patterns `job/*` selects, `!job/finished-is-final` deselects.
 */
import type { TargetRef } from './values.ts';

export const DEFAULT_NAMESPACE = 'default';
const ALL_NAMESPACES = '*';

export function parseTarget(text: string): TargetRef | undefined {
  const parts = text.split('/');
  if (parts.some((part) => part === '' || /\s/.test(part))) return undefined;
  const [kind, second, third] = parts;
  if (kind === undefined || parts.length > 3) return undefined;
  if (second === undefined) return { kind, only: true };
  return third === undefined ? { kind, name: second } : { kind, namespace: second, name: third };
}

/** Formats a target for a reader: `Job/default/a`, `Pod/default with app=web (2nd by creation)`. */
export function formatTarget(target: TargetRef): string {
  const where = target.namespace === undefined ? '' : `/${target.namespace}`;
  const labels = Object.entries(target.labels ?? {})
    .map(([key, value]) => `${key}=${value}`)
    .join(',');
  const labelled = labels === '' ? '' : ` with ${labels}`;
  const condition = target.cel === undefined ? '' : ` where ${target.cel.cel}`;
  const nth = target.nth === undefined ? '' : ` (number ${target.nth} by creation)`;
  return `${target.kind}${where}${target.name === undefined ? '' : `/${target.name}`}${labelled}${condition}${nth}`;
}

/** Returns the namespace of a target; undefined for a cluster-scoped kind and for all namespaces. */
export function targetNamespace(target: TargetRef, namespaced: boolean): string | undefined {
  if (!namespaced || target.namespace === ALL_NAMESPACES) return undefined;
  return target.namespace ?? DEFAULT_NAMESPACE;
}

const INSTANT = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(?:[Zz]|([+-])(\d\d):(\d\d))$/;

/**
 * Parses an RFC 3339 instant to milliseconds since the epoch; undefined: the text is none. Fractions of a millisecond are truncated. It is
 * independent of the host, because hosts differ on fractions and on impossible dates.
 */
export function parseInstant(text: string): number | undefined {
  const parts = INSTANT.exec(text);
  if (parts === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.slice(1, 7).map(Number);
  const [offsetHours, offsetMinutes] = [Number(parts[9] ?? 0), Number(parts[10] ?? 0)];
  // Date reads years below 100 as 19xx, so they are refused.
  if (year < 100 || month < 1 || month > 12 || day < 1 || hour > 23 || minute > 59 || second > 59 || offsetHours > 23 || offsetMinutes > 59)
    return undefined;
  if (day > new Date(Date.UTC(year, month, 0)).getUTCDate()) return undefined;
  const ms = Number((parts[7] ?? '').slice(0, 3).padEnd(3, '0'));
  const offset = (offsetHours * 60 + offsetMinutes) * 60_000;
  return Date.UTC(year, month - 1, day, hour, minute, second, ms) - (parts[8] === '-' ? -offset : offset);
}

/** Formats an instant: `2024-03-01T00:00:00Z`, with milliseconds where there are any. */
export const formatInstant = (at: number): string => new Date(at).toISOString().replace('.000Z', 'Z');

/** Whether a pattern matches a name; `*` matches any text, including slashes. */
export function matchesPattern(pattern: string, name: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return pattern === name;
  if (!name.startsWith(first)) return false;
  let from = first.length;
  for (const part of rest) {
    const at = name.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return name.length - last.length >= from && name.endsWith(last);
}

/** Selects invariants: absent means all; a pattern adds, one with `!` removes; `!` patterns alone start from all. */
export function selectInvariants(patterns: readonly string[] | undefined, names: readonly string[]): readonly string[] {
  if (patterns === undefined) return names;
  const selected = new Set(patterns.length > 0 && patterns.every((pattern) => pattern.startsWith('!')) ? names : []);
  for (const pattern of patterns) {
    const away = pattern.startsWith('!');
    for (const name of names) {
      if (!matchesPattern(away ? pattern.slice(1) : pattern, name)) continue;
      if (away) selected.delete(name);
      else selected.add(name);
    }
  }
  return names.filter((name) => selected.has(name));
}
