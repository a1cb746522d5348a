/**
 * The data of a StatefulSet's ControllerRevision, and the name derived from its text: hash and name equal those of the recorded control
 * plane. Models: v1.24 pkg/controller/statefulset ApplyRevision, pkg/controller/history HashControllerRevision.
 */
import type { StatefulSet } from '../../../apiserver/kinds/index.ts';
import { safeLetters } from '../../shared/index.ts';

type Template = StatefulSet['spec']['template'];

const templates = new WeakMap<object, Template>();

/** The template in stored data; the set's own where the data has none. */
export function templateIn(data: unknown, set: StatefulSet): Template {
  const stored = (data as { readonly spec?: { readonly template?: Template & { readonly $patch?: unknown } } } | undefined)?.spec?.template;
  if (typeof stored !== 'object') return set.spec.template;
  let template = templates.get(stored);
  if (template === undefined) {
    const { $patch: _, ...rest } = stored;
    templates.set(stored, (template = rest as Template));
  }
  return template;
}

/** The name of a set's revision, which contains its hash. */
export const revisionName = (setName: string, hash: string): string => `${setName.slice(0, 223)}-${hash}`;

/** The hash of a patch with a collision count: FNV-1, 32 bits, in letters that form no words. */
export const revisionHash = (text: string, collisions: number): string => safeLetters(String(fnv32(`${text}${collisions}`)));

const OFFSET = 0x811c9dc5;
const PRIME = 0x01000193;
const encoder = new TextEncoder();

function fnv32(text: string): number {
  let hash = OFFSET;
  for (const byte of encoder.encode(text)) hash = Math.imul(hash, PRIME) ^ byte;
  return hash >>> 0;
}
