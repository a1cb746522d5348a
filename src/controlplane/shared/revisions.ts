/**
 * ControllerRevisions: their data, which is the template of their set as a patch that restores it, and the reads and writes of them. Models:
 * v1.24 pkg/controller/statefulset and pkg/controller/daemon getPatch, pkg/controller/history NewControllerRevision.
 */
import type { DaemonSet, StatefulSet } from '../../apiserver/kinds/index.ts';
import type { ObjectInput, PodTemplateSpec } from '../../apiserver/machinery/index.ts';
import { readLive, type Outcome } from '../runtime/index.ts';
import { compareText } from '../../schema/values/index.ts';
import { controllerReference } from './owned-set.ts';

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

/** The revision of a set's present template, with the labels that identify it. */
export function revisionOf(
  set: DaemonSet | StatefulSet,
  name: string,
  labels: Readonly<Record<string, string>>,
  revision: number,
): ObjectInput {
  const { namespace, annotations } = set.metadata;
  const { template } = set.spec;
  return {
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    metadata: {
      name,
      ...(namespace === undefined ? {} : { namespace }),
      labels: { ...template.metadata.labels, ...labels },
      ...(annotations === undefined ? {} : { annotations }),
      ownerReferences: [controllerReference(set)],
    },
    data: templatePatch(template).data,
    revision,
  };
}

/** The name of a revision is taken: it may be the same revision, which the cache does not show yet. */
export const readRevision = ({ metadata: { namespace } }: DaemonSet | StatefulSet, name: string): Outcome<never> => ({
  why: `revision ${name} exists already: read it from the API server to compare`,
  writes: [readLive({ kind: 'ControllerRevision', metadata: { name, ...(namespace === undefined ? {} : { namespace }) } })],
});
