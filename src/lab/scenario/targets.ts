/** Targets: how a step names the objects it means. The short forms are `Kind/name`, `Kind/namespace/name` and, where there is one, `Kind`. */
import type { TargetRef } from './target-types.ts';

export const DEFAULT_NAMESPACE = 'default';
/** The namespace that stands for every one. */
const ALL_NAMESPACES = '*';

/** The short form read, or undefined if the text is none. */
export function parseTarget(text: string): TargetRef | undefined {
  const parts = text.split('/');
  if (parts.some((part) => part === '' || /\s/.test(part))) return undefined;
  const [kind, second, third] = parts;
  if (kind === undefined || parts.length > 3) return undefined;
  if (second === undefined) return { kind, only: true };
  return third === undefined ? { kind, name: second } : { kind, namespace: second, name: third };
}

/** A target as a reader names it: `Job/default/a`, `Pod/default with app=web (2nd by creation)`. */
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

/** The namespace a target looks in; undefined for a cluster-scoped kind and for every namespace. */
export function targetNamespace(target: TargetRef, namespaced: boolean): string | undefined {
  if (!namespaced || target.namespace === ALL_NAMESPACES) return undefined;
  return target.namespace ?? DEFAULT_NAMESPACE;
}
