/**
 * The data of a ControllerRevision: the template of its set, as a patch that restores it. Models: v1.24 pkg/controller/statefulset and
 * pkg/controller/daemon getPatch.
 */
import type { PodTemplateSpec } from '../../apiserver/machinery/index.ts';
import { compareText } from '../../schema/values/index.ts';

/** A patch that replaces one template by another, as data and as the text that is hashed and compared. */
export interface TemplatePatch {
  readonly data: unknown;
  readonly text: string;
}

const patches = new WeakMap<PodTemplateSpec, TemplatePatch>();

/** The patch that restores this template; cached by template. */
export function templatePatch(template: PodTemplateSpec): TemplatePatch {
  let patch = patches.get(template);
  if (patch === undefined) {
    const text = canonicalText({
      spec: { template: { ...template, metadata: { ...template.metadata, creationTimestamp: null }, $patch: 'replace' } },
    });
    // Clients compare the stored text with theirs, so keys are stored in the order of the text.
    patches.set(template, (patch = { data: JSON.parse(text), text }));
  }
  return patch;
}

const texts = new WeakMap<object, string>();

/** The text of stored data, for comparisons. */
export function textOf(data: unknown): string {
  if (typeof data !== 'object' || data === null) return canonicalText(data);
  let text = texts.get(data);
  if (text === undefined) texts.set(data, (text = canonicalText(data)));
  return text;
}

/** JSON as Go writes a map: keys in byte order, HTML characters escaped. */
function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`;
  if (typeof value !== 'object' || value === null)
    return JSON.stringify(value ?? null).replace(/[<>&\u2028\u2029]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .sort(([a], [b]) => compareText(a, b));
  return `{${fields.map(([name, field]) => `${canonicalText(name)}:${canonicalText(field)}`).join(',')}}`;
}
