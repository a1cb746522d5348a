/**
 * What a ControllerRevision records: the template of its set, as the patch that brings it back. Models: v1.24 pkg/controller/statefulset
 * and pkg/controller/daemon getPatch.
 */
import type { PodTemplateSpec } from '../../apiserver/machinery/index.ts';
import { compareText } from '../../schema/values/index.ts';

/** A patch that puts one template in another's place, as data and as the text that is hashed and compared. */
export interface TemplatePatch {
  readonly data: unknown;
  readonly text: string;
}

const patches = new WeakMap<PodTemplateSpec, TemplatePatch>();

/** The patch that would bring back this template; made once per template. */
export function templatePatch(template: PodTemplateSpec): TemplatePatch {
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
