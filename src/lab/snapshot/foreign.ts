/**
 * Kinds of a dump that this server does not have. Their objects are kept as they are: served, listed, watched, and collected with their
 * owners. A definition in the dump gives their names; without one these are guessed as clients do.
 */
import { isMapping, keptIn } from '../../schema/values/index.ts';
import { customKind } from '../../apiserver/custom/index.ts';
import { kindsFor, type CustomKind, type KindRegistry, registryWith } from '../../apiserver/kinds/index.ts';
import type { Kind } from '../../apiserver/machinery/index.ts';
import type { Members } from './documents.ts';

/** A kind of a dump that is kept as it is, as plain data. */
export interface ForeignKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  readonly shortNames: readonly string[];
  /** The members of its objects besides kind, version and metadata. */
  readonly fields: readonly string[];
}

export type ForeignNames = Omit<ForeignKind, 'version' | 'fields'>;

/** The names of the kinds that definitions in a dump define, by `group/kind`. */
export function definedIn(objects: readonly Members[]): ReadonlyMap<string, ForeignNames> {
  const defined = new Map<string, ForeignNames>();
  for (const { kind, spec } of objects) {
    if (kind !== 'CustomResourceDefinition' || !isMapping(spec)) continue;
    const { group, scope, names: of } = spec;
    if (!isMapping(of) || typeof group !== 'string' || typeof of['kind'] !== 'string' || typeof of['plural'] !== 'string') continue;
    const shortNames = Array.isArray(of['shortNames']) ? of['shortNames'].filter((each) => typeof each === 'string') : [];
    defined.set(`${group}/${of['kind']}`, {
      group,
      kind: of['kind'],
      plural: of['plural'],
      namespaced: scope === 'Namespaced',
      shortNames,
    });
  }
  return defined;
}

/** Models: apimachinery pkg/api/meta restmapper.go UnsafeGuessKindToResource. */
export function guessedPlural(kind: string): string {
  const singular = kind.toLowerCase();
  if (singular.endsWith('endpoints')) return singular;
  if (singular.endsWith('s')) return `${singular}es`;
  return singular.endsWith('y') ? `${singular.slice(0, -1)}ies` : `${singular}s`;
}

const made = new WeakMap<readonly ForeignKind[], readonly CustomKind[]>();

/** The definitions of foreign kinds: any fields are valid. The same list for the same kinds. */
export const foreignKinds = (kinds: readonly ForeignKind[]): readonly CustomKind[] => keptIn(made, kinds, () => kinds.flatMap(define));

/** A registry with foreign kinds in addition: those that it has itself come first. */
export function withForeign(base: KindRegistry, foreign: readonly ForeignKind[]): KindRegistry {
  if (foreign.length === 0) return base;
  const more = kindsFor(base.names, foreignKinds(foreign));
  const own = new Set(foreign.map(({ kind }) => kind));
  return {
    ...base,
    byKind: (kind) => base.byKind(kind) ?? more.byKind(kind),
    byPlural: (group, plural) => base.byPlural(group, plural) ?? more.byPlural(group, plural),
    list: () => [...base.list(), ...more.list().filter(({ kind }) => own.has(kind) && base.byKind(kind) === undefined)],
  };
}

const DEFINITION = 'CustomResourceDefinition';

interface Defining {
  readonly kind?: unknown;
  readonly spec?: unknown;
  readonly status?: unknown;
}

/**
 * The kinds that established definitions among objects define: the server has them as soon as these are restored. One whose name is taken
 * has a qualified name.
 */
export function definedKinds(objects: readonly Defining[], base: KindRegistry): readonly Kind[] {
  const kinds = new Map<string, Kind>();
  for (const object of objects) {
    if (object.kind !== DEFINITION || !isEstablished(object.status)) continue;
    const read = customKind(object, (name) => base.byKind(name) ?? kinds.get(name));
    if ('kind' in read && base.byKind(read.kind.kind) === undefined && !kinds.has(read.kind.kind)) kinds.set(read.kind.kind, read.kind);
  }
  return [...kinds.values()];
}

const isEstablished = (status: unknown): boolean =>
  isMapping(status) &&
  Array.isArray(status['conditions']) &&
  status['conditions'].some((each) => isMapping(each) && each['type'] === 'Established' && each['status'] === 'True');

/** A registry with the kinds that a dump defines, and those that it alone has. */
export const withDumped = (
  base: KindRegistry,
  { objects, foreign }: { readonly objects: readonly Defining[]; readonly foreign: readonly ForeignKind[] },
): KindRegistry => registryWith(withForeign(base, foreign), definedKinds(objects, base));

function define({ group, version, kind, plural, namespaced, shortNames, fields }: ForeignKind): readonly CustomKind[] {
  const open = { 'x-kubernetes-preserve-unknown-fields': true };
  const properties = Object.fromEntries([...new Set(['spec', 'status', ...fields])].map((name) => [name, open]));
  const schema = { openAPIV3Schema: { type: 'object', properties } };
  const subresources = fields.includes('status') ? { status: {} } : {};
  const read = customKind({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    spec: {
      group,
      scope: namespaced ? 'Namespaced' : 'Cluster',
      names: { kind, plural, shortNames },
      versions: [{ name: version, served: true, storage: true, schema, subresources }],
    },
  });
  return 'kind' in read ? [read.kind] : [];
}
