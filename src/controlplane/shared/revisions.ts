/**
 * ControllerRevisions: their data, which is the template of their set as a patch that restores it, and the reads and writes of them. Models:
 * v1.24 pkg/controller/statefulset and pkg/controller/daemon getPatch, pkg/controller/history NewControllerRevision.
 */
import type { DaemonSet, StatefulSet } from '../../apiserver/kinds/index.ts';
import type { ObjectInput, PodTemplateSpec } from '../../apiserver/machinery/index.ts';
import { readLive, type Outcome } from '../runtime/index.ts';
import { compareText, present } from '../../schema/values/index.ts';
import { perObject } from '../../engine/index.ts';
import { controllerReference } from './owned-set.ts';

/** The patch that restores a template, as data and as the text that is hashed and compared. */
export const templatePatch = perObject((template: PodTemplateSpec): { readonly data: unknown; readonly text: string } => {
  const metadata = { ...template.metadata, creationTimestamp: null };
  const text = canonicalText({ spec: { template: { ...template, metadata, $patch: 'replace' } } });
  // Clients compare the stored text with theirs, so keys are stored in the order of the text.
  return { data: JSON.parse(text), text };
});

const textOnce = perObject<object, string>((data) => canonicalText(data));

/** The text of stored data, for comparisons. */
export const textOf = (data: unknown): string => (typeof data === 'object' && data !== null ? textOnce(data) : canonicalText(data));

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
    metadata: present({
      name,
      namespace,
      labels: { ...template.metadata.labels, ...labels },
      annotations,
      ownerReferences: [controllerReference(set)],
    }),
    data: templatePatch(template).data,
    revision,
  };
}

/** The name of a revision is taken: it may be the same revision, which the cache does not show yet. */
export const readRevision = ({ metadata: { namespace } }: DaemonSet | StatefulSet, name: string): Outcome<never> => ({
  why: `revision ${name} exists already: read it from the API server to compare`,
  writes: [readLive({ kind: 'ControllerRevision', metadata: present({ name, namespace }) })],
});
