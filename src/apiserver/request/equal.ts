/** Comparison of two objects. */
import { sameValue } from '../machinery/index.ts';

/** Whether two objects of a kind differ outside `metadata` and the named fields. */
export function differsOutside(a: Readonly<Record<string, unknown>>, b: Readonly<Record<string, unknown>>, ignored: string): boolean {
  for (const key in a) if (key !== 'metadata' && key !== ignored && !sameValue(a[key], b[key])) return true;
  for (const key in b) if (key !== 'metadata' && key !== ignored && b[key] !== undefined && a[key] === undefined) return true;
  return false;
}
