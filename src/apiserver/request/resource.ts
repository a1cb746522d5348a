/** The names of a kind that the server derives once: its full group, the names in errors, and its prefix in the real store. */
import type { Kind, Names } from '../machinery/index.ts';

export interface Resource {
  readonly kind: Kind;
  readonly group: string;
  /** `coordination.k8s.io/v1`, `v1`. */
  readonly apiVersion: string;
  /** `leases.coordination.k8s.io`, `pods`. */
  readonly qualified: string;
  /** The group in `Invalid` errors. */
  readonly invalidGroup: string;
  /** The prefix in the real store, which some conflicts print: `/registry/leases/`. */
  readonly storagePrefix: string;
}

const STORAGE_FOLDER: Readonly<Record<string, string>> = {
  Node: 'minions',
  Ingress: 'ingress',
  Endpoints: 'services/endpoints',
  Service: 'services/specs',
};
const GROUPED_STORAGE: ReadonlySet<string> = new Set(['apiregistration']);

export function resourceOf(kind: Kind, names: Names): Resource {
  const group = names.group(kind.groupPrefix);
  const folder = STORAGE_FOLDER[kind.kind] ?? (GROUPED_STORAGE.has(kind.groupPrefix) ? `${group}/${kind.plural}` : kind.plural);
  return {
    kind,
    group,
    apiVersion: group === '' ? kind.version : `${group}/${kind.version}`,
    qualified: group === '' ? kind.plural : `${kind.plural}.${group}`,
    invalidGroup: kind.invalidGroup ?? group,
    storagePrefix: `/registry/${folder}/`,
  };
}
