/**
 * What a ControllerRevision records of a StatefulSet, and the name that follows from it: the same text, hash and name as the recorded
 * control plane's. Models: v1.24 pkg/controller/statefulset getPatch and ApplyRevision, pkg/controller/history HashControllerRevision.
 */
import type { StatefulSet } from '../../../apiserver/kinds/index.ts';
import { compareText } from '../../../grammar/values/index.ts';
import { safeLetters } from '../../shared/index.ts';

type Template = StatefulSet['spec']['template'];

/** A patch that puts one template in another's place, as data and as the text that is hashed and compared. */
export interface TemplatePatch {
  readonly data: unknown;
  readonly text: string;
}

const patches = new WeakMap<Template, TemplatePatch>();

/** The patch that would bring back this template; made once per template. */
export function templatePatch(template: Template): TemplatePatch {
  let patch = patches.get(template);
  if (patch === undefined) {
    const text = canonicalText({
      spec: { template: { ...template, metadata: { ...template.metadata, creationTimestamp: null }, $patch: 'replace' } },
    });
    // Clients compare the stored text with their own, so the keys are stored in the order of the text.
    patches.set(template, (patch = { data: JSON.parse(text), text }));
  }
  return patch;
}

const texts = new WeakMap<object, string>();

/** The text of stored data, for comparing. */
export function textOf(data: unknown): string {
  if (typeof data !== 'object' || data === null) return canonicalText(data);
  let text = texts.get(data);
  if (text === undefined) texts.set(data, (text = canonicalText(data)));
  return text;
}

const templates = new WeakMap<object, Template>();

/** The template that stored data puts into a set; the set's own where the data names none. */
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

/** JSON as Go writes a map: keys in byte order, and what means something to HTML escaped. */
function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`;
  if (typeof value !== 'object' || value === null)
    return JSON.stringify(value ?? null).replace(/[<>&\u2028\u2029]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .sort(([a], [b]) => compareText(a, b));
  return `{${fields.map(([name, field]) => `${canonicalText(name)}:${canonicalText(field)}`).join(',')}}`;
}

/** The name a revision of a set gets, and its hash label. */
export const revisionName = (setName: string, hash: string): string => `${setName.slice(0, 223)}-${hash}`;

/** The hash of a patch after so many collisions: FNV-1, 32 bits, in letters that spell no words. */
export const revisionHash = (text: string, collisions: number): string => safeLetters(String(fnv32(`${text}${collisions}`)));

const OFFSET = 0x811c9dc5;
const PRIME = 0x01000193;
const encoder = new TextEncoder();

function fnv32(text: string): number {
  let hash = OFFSET;
  for (const byte of encoder.encode(text)) hash = Math.imul(hash, PRIME) ^ byte;
  return hash >>> 0;
}
