/**
 * The registry of kinds. Each kind has one line in `all.ts`; everything that lists kinds reads the registry. The TypeScript type of each
 * kind by name, so that `store.get('Pod', …)` is a Pod. The rules in which the specification and the recorded server differ.
 */
import { lastOf, memo, perObject } from '../../engine/index.ts';
import { inOrder } from '../../schema/values/index.ts';
import type { BehaviorRule, Kind, KindOf, Rule } from '../machinery/index.ts';
import type { ApiObject, Domain, Names } from '../objects/index.ts';
import * as all from './all.ts';

/**
 * The TypeScript types of custom kinds by name. Add a line for a custom kind, so that caches, watches and `reconciles` have its type:
 *
 * ```ts
 * declare module 'orchsim' {
 *   interface CustomObjects {
 *     Greeting: Greeting;
 *   }
 * }
 * ```
 */
export interface CustomObjects {}

/** The object type of a kind; a name that is neither a registered kind nor in `CustomObjects` gives a plain object. */
export type ObjectNamed<K extends string> = K extends keyof CustomObjects
  ? CustomObjects[K] & ApiObject
  : K extends keyof ObjectByKind
    ? ObjectByKind[K] & ApiObject
    : ApiObject;

/** Whether an object is present and of a kind. It narrows the type. */
export const isOf = <K extends string>(kind: K, object: ApiObject | undefined): object is ObjectNamed<K> => object?.kind === kind;

/** The definition of some kinds depends on the names of the domain. */
type Made<T> = T extends (names: Names) => infer K ? K : T;
type ObjectIn<T> = Made<T> extends KindOf<infer O> ? O : never;

export type ObjectByKind = { readonly [E in keyof typeof all as ObjectIn<(typeof all)[E]>['kind']]: ObjectIn<(typeof all)[E]> };
export type KindName = keyof ObjectByKind;

/** The kinds of a domain by name; lookups return undefined for an unknown name. */
export interface KindRegistry {
  readonly names: Names;
  byKind(kind: string): Kind | undefined;
  /** By full group (`coordination.k8s.io`, '' for core) and plural. */
  byPlural(group: string, plural: string): Kind | undefined;
  /** Kinds in `FIRST`, then the others by name. */
  list(): readonly Kind[];
  /** `batch/v1`, or `v1` in the core group. */
  apiVersionOf(kind: Kind): string;
  /** Returns the registry as it is now, which does not change; clients define kinds in that of a world. */
  now(): KindRegistry;
}

/** Returns the versions in which a kind is served, the preferred first. */
export const servedVersions = (kind: Kind): readonly Kind[] => (kind.versions === undefined ? [kind] : [...kind.versions.values()]);

/** Returns a kind in a version of it; undefined: it is not served in that version. */
export const inVersion = (kind: Kind | undefined, version: string): Kind | undefined =>
  kind?.versions === undefined ? (kind?.version === version ? kind : undefined) : kind.versions.get(version);

/** Returns the kind of a group that clients call by a name: it has a qualified one in the registry where the name is taken. */
export function kindInGroup(kinds: KindRegistry, group: string, name: string): Kind | undefined {
  const kind = kinds.byKind(name);
  if (isOfGroup(kinds, group, kind)) return kind;
  const qualified = kinds.byKind(`${name}.${group}`);
  return isOfGroup(kinds, group, qualified) ? qualified : undefined;
}

const isOfGroup = ({ names }: KindRegistry, group: string, kind: Kind | undefined): boolean =>
  kind !== undefined && names.group(kind.groupPrefix) === group;

/** A custom kind; its definition may depend on the names of the domain. */
export type CustomKind = Kind | ((names: Names) => Kind);

const NONE: readonly CustomKind[] = [];
const made = perObject((_: readonly CustomKind[]) => memo(new Map<Domain, KindRegistry>()));

/** Returns the kinds of a domain, followed by custom kinds; the same object on every call with the same list. */
export function kindsFor(names: Names, own: readonly CustomKind[] = NONE): KindRegistry {
  const byDomain = made(own);
  let registry = byDomain.get(names.domain);
  if (registry === undefined) byDomain.set(names.domain, (registry = build(names, own)));
  return registry;
}

/** The most used kinds, in the order in which the garbage collector visits them. All other kinds follow by name. */
const FIRST: readonly string[] = [
  'Job',
  'Pod',
  'Node',
  'Namespace',
  'Lease',
  'Event',
  'ControllerRevision',
  'StatefulSet',
  'Deployment',
  'ReplicaSet',
  'DaemonSet',
  'CronJob',
  'VolumeAttachment',
  'CSIDriver',
  'CSINode',
  'CSIStorageCapacity',
  'StorageClass',
  'RuntimeClass',
  'PersistentVolume',
  'PersistentVolumeClaim',
  'Endpoints',
  'EndpointSlice',
  'Service',
  'ConfigMap',
  'Secret',
  'ServiceAccount',
  'ResourceQuota',
  'LimitRange',
  'PodDisruptionBudget',
  'HorizontalPodAutoscaler',
  'Ingress',
  'IngressClass',
  'NetworkPolicy',
  'APIService',
  'PriorityClass',
  'Role',
  'ClusterRole',
  'RoleBinding',
  'ClusterRoleBinding',
];

const allKinds = (names: Names): readonly Kind[] =>
  inOrder(
    Object.values<Kind | ((names: Names) => Kind)>(all).map((kind) => (typeof kind === 'function' ? kind(names) : kind)),
    ({ kind }) => kind,
    FIRST,
  );

/** The registry that was made last with each kind, and what it was added to. */
const withKind = memo(new WeakMap<Kind, { readonly base: KindRegistry; readonly registry: KindRegistry }>());

/** Returns a registry with further kinds, in their order; mostly the same object for the same kinds. */
export function registryWith(base: KindRegistry, kinds: readonly Kind[]): KindRegistry {
  return kinds.reduce((registry, kind) => {
    let made = withKind.get(kind);
    if (made?.base !== registry)
      withKind.set(kind, (made = { base: registry, registry: registryOf(registry.names, [...registry.list(), kind]) }));
    return made.registry;
  }, base);
}

const build = (names: Names, own: readonly CustomKind[]): KindRegistry =>
  registryOf(names, [...allKinds(names), ...own.map((kind) => (typeof kind === 'function' ? kind(names) : kind))]);

function registryOf(names: Names, kinds: readonly Kind[]): KindRegistry {
  const byKind = new Map(kinds.map((kind) => [kind.kind, kind]));
  const byPlural = new Map(kinds.map((kind) => [`${names.group(kind.groupPrefix)}/${kind.plural}`, kind]));
  const registry: KindRegistry = {
    names,
    byKind: (kind: string) => byKind.get(kind),
    byPlural: (group: string, plural: string) => byPlural.get(`${group}/${plural}`),
    list: () => kinds,
    apiVersionOf: lastOf(({ groupPrefix, version }: Kind) => (groupPrefix === '' ? version : `${names.group(groupPrefix)}/${version}`)),
    now: () => registry,
  };
  return Object.freeze(registry);
}

/** The rules in which the specification and the recorded server differ, of the API as a whole. */
const ofAll: readonly BehaviorRule[] = [
  {
    name: 'api/collection-deletion-answers-status',
    kind: '*',
    field: '',
    statement: 'Deleting a collection answers a Status.',
    place: 'resource-api.md: Endpoints, Operations',
    recorded: 'answers the list of the deleted objects',
    does: 'the server answers a Status with the kind in its details',
  },
];

/** Returns every rule of the API, then of the kinds in the order of the registry. */
export const specificationOf = (names: Names): readonly Rule[] => [
  ...ofAll,
  ...kindsFor(names)
    .list()
    .flatMap(({ specification = [] }) => specification),
];
