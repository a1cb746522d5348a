/** The resources of a version, with their sub-resources. Models: pkg/endpoints/installer.go, discovery/storageversionhash.go. */
import { createHash } from 'node:crypto';
import { compareText } from '../../../schema/values/index.ts';
import type { FeatureGates, Kind } from '../../../apiserver/machinery/index.ts';
import { type KindRegistry, servedVersions } from '../../../apiserver/kinds/index.ts';

export interface ResourceRow {
  readonly name: string;
  readonly singularName: string;
  readonly namespaced: boolean;
  readonly group?: string;
  readonly version?: string;
  readonly kind: string;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly storageVersionHash?: string;
}

const VERBS = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];
const VIEW = ['get', 'patch', 'update'];

/** Sub-resources whose objects are of another kind. */
const FORMS: Readonly<Record<string, Pick<ResourceRow, 'kind' | 'group' | 'version' | 'verbs'>>> = {
  scale: { kind: 'Scale', group: 'autoscaling', version: 'v1', verbs: VIEW },
  eviction: { kind: 'Eviction', group: 'policy', version: 'v1', verbs: ['create'] },
  binding: { kind: 'Binding', verbs: ['create'] },
};
const OWN_VERBS: Readonly<Record<string, readonly string[]>> = { finalize: ['update'], log: ['get'] };

export interface GroupVersion {
  readonly group: string;
  readonly version: string;
}

/** Rows of resources that are not kinds, such as reviews. */
export interface ExtraRow extends GroupVersion {
  readonly row: ResourceRow;
}

export function resourceRows({ group, version }: GroupVersion, kinds: KindRegistry, extra: readonly ExtraRow[], gates: FeatureGates) {
  // Custom resources always have the storage version hash, because another server lists them.
  const published = (row: ResourceRow, custom = false): ResourceRow =>
    custom || gates['StorageVersionHash'] !== false ? row : hashless(row);
  const local = kinds
    .list()
    .flatMap(servedVersions)
    .filter((kind) => kind.version === version && kinds.names.group(kind.groupPrefix) === group)
    .flatMap((kind) => rowsOf(kind, group).map((row) => published(row, kind.unstructured)));
  const more = extra.filter((each) => each.group === group && each.version === version).map(({ row }) => published(row));
  // If a kind and an extra row have the same name, the extra row wins.
  const named = new Set(more.map(({ name }) => name));
  return [...local.filter(({ name }) => !named.has(name)), ...more].sort((a, b) => compareText(a.name, b.name));
}

const hashless = ({ storageVersionHash: _, ...row }: ResourceRow): ResourceRow => row;

/** Returns the hash by which clients recognise the storage version of a kind. */
const storageVersionHash = (group: string, version: string, kind: string): string =>
  createHash('sha256').update(`${group}/${version}/${kind}`).digest().subarray(0, 8).toString('base64');

/** What discovery tells of a kind; `verbs`: of one that is only read. */
type Listed = Pick<Kind, 'kind' | 'version' | 'plural' | 'namespaced' | 'shortNames' | 'categories'> &
  Partial<Pick<Kind, 'unstructured' | 'singular' | 'stored' | 'shownAs'>> & {
    readonly subresources: readonly string[];
    readonly verbs?: readonly string[];
  };

export function rowsOf(kind: Listed, group: string): readonly ResourceRow[] {
  const { plural, namespaced, shortNames, categories, verbs, shownAs = kind.kind } = kind;
  const { version } = kind.stored ?? kind;
  const usual = kind.kind === 'Namespace' ? VERBS.filter((verb) => verb !== 'deletecollection') : VERBS;
  const main: ResourceRow = {
    name: plural,
    // Clients know the singular names of built-in kinds.
    singularName: kind.unstructured === true ? (kind.singular ?? '') : '',
    namespaced,
    kind: shownAs,
    verbs: verbs ?? usual,
    ...(shortNames.length === 0 ? {} : { shortNames }),
    ...(categories.length === 0 ? {} : { categories }),
    ...(verbs === undefined ? { storageVersionHash: storageVersionHash(group, version, shownAs) } : {}),
  };
  return [
    main,
    ...kind.subresources.map((subresource): ResourceRow => {
      const form = FORMS[subresource];
      const { verbs = OWN_VERBS[subresource] ?? VIEW, kind: shown = shownAs, ...at } = form ?? {};
      return { name: `${plural}/${subresource}`, singularName: '', namespaced, ...at, kind: shown, verbs };
    }),
  ];
}
