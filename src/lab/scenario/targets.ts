/** Targets: how a step refers to objects. The short forms are `Kind/name`, `Kind/namespace/name` and, for the only one, `Kind`. */
import type { TargetRef } from './values.ts';

/** The namespace of targets that name none. */
export const DEFAULT_NAMESPACE = 'default';
/** The name for all namespaces. */
const ALL_NAMESPACES = '*';

/** Parses the short form; undefined: the text is none. */
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
