/** The metadata that the server owns, in published order. Models: apiserver pkg/registry/rest meta.go, create.go, update.go. */
import { copyWith } from '../../schema/values/index.ts';
import { type ApiObject, assign, castDraft, type Draft, type ManagedFieldsEntry, type ObjectMeta, sameValue } from '../machinery/index.ts';
import { deepFreeze, type Schema } from '../../schema/shape/index.ts';

type Loose = { -readonly [K in keyof ObjectMeta]?: ObjectMeta[K] };

/** Keeps the metadata that a client may set on a new object, and sets the rest. */
export function fillForCreate(
  metadata: Draft<ObjectMeta>,
  filled: Pick<ObjectMeta, 'name' | 'uid' | 'creationTimestamp'> & {
    readonly [K in 'namespace' | 'resourceVersion' | 'generation' | 'managedFields']: ObjectMeta[K] | undefined;
  },
): void {
  metadata.name = filled.name;
  assign(metadata, 'namespace', filled.namespace);
  metadata.uid = filled.uid;
  assign<Loose, 'resourceVersion'>(metadata, 'resourceVersion', filled.resourceVersion);
  assign(metadata, 'generation', filled.generation);
  metadata.creationTimestamp = filled.creationTimestamp;
  assign(metadata, 'deletionTimestamp', undefined);
  assign(metadata, 'deletionGracePeriodSeconds', undefined);
  setManagers(metadata, filled.managedFields);
}

/** Keeps the identity and history of the stored object, and the rest as given; equal parts keep the reference of the stored object. */
export function fillForUpdate(
  metadata: Draft<ObjectMeta>,
  given: ObjectMeta,
  old: ObjectMeta,
  managedFields: readonly ManagedFieldsEntry[] | undefined,
): void {
  metadata.name = old.name;
  assign(metadata, 'generateName', given.generateName);
  assign(metadata, 'namespace', old.namespace);
  metadata.uid = given.uid === undefined || given.uid === '' ? old.uid : given.uid;
  metadata.resourceVersion = old.resourceVersion;
  assign(metadata, 'generation', old.generation);
  metadata.creationTimestamp = old.creationTimestamp;
  assign(metadata, 'deletionTimestamp', old.deletionTimestamp ?? given.deletionTimestamp);
  assign(metadata, 'deletionGracePeriodSeconds', given.deletionGracePeriodSeconds ?? old.deletionGracePeriodSeconds);
  for (const name of UNKEPT) if (name in metadata) Reflect.deleteProperty(metadata, name);
  for (const part of ['labels', 'annotations', 'ownerReferences', 'finalizers'] as const)
    assign<Loose, typeof part>(metadata, part, sameValue(old[part], given[part]) ? old[part] : given[part]);
  setManagers(metadata, managedFields);
}

/** Members that clients may send and that are not stored. */
const UNKEPT = ['selfLink', 'clusterName'];

function setManagers(metadata: Draft<ObjectMeta>, managers: readonly ManagedFieldsEntry[] | undefined): void {
  assign(metadata, 'managedFields', managers === undefined || managers.length === 0 ? undefined : castDraft(managers));
}

/**
 * Returns the frozen object as it is stored and returned to clients: metadata in published order, with the revision of its commit, without
 * dropped members. `stored`: the replaced object; its metadata, if shared, is in order already. `isFresh`: the caller holds the only
 * reference to the object, so it is not copied.
 */
export function stamped(object: ApiObject, resourceVersion: string | undefined, stored?: ApiObject, isFresh = false): ApiObject {
  const { metadata } = object;
  const made =
    resourceVersion !== undefined && metadata === stored?.metadata
      ? copyWith(metadata, { resourceVersion })
      : metadataInOrder(metadata, resourceVersion);
  if (!isFresh) return deepFreeze(copyWith(object, { metadata: made as ObjectMeta }));
  (object as { metadata: ObjectMeta }).metadata = made as ObjectMeta;
  return deepFreeze(object);
}

/** Written member by member, because every write calls it. */
function metadataInOrder(metadata: ObjectMeta, resourceVersion: string | undefined): Loose {
  const made = beginning(metadata, resourceVersion);
  if (metadata.deletionTimestamp !== undefined) made.deletionTimestamp = metadata.deletionTimestamp;
  if (metadata.deletionGracePeriodSeconds !== undefined) made.deletionGracePeriodSeconds = metadata.deletionGracePeriodSeconds;
  if (metadata.labels !== undefined) made.labels = metadata.labels;
  if (metadata.annotations !== undefined) made.annotations = metadata.annotations;
  if (metadata.ownerReferences !== undefined) made.ownerReferences = metadata.ownerReferences;
  if (metadata.finalizers !== undefined) made.finalizers = metadata.finalizers;
  if (metadata.managedFields !== undefined) made.managedFields = metadata.managedFields;
  return made;
}

/** The members up to the creation time, as literals: a member that is added to a literal later needs extra memory. */
function beginning(metadata: ObjectMeta, resourceVersion: string | undefined): Loose {
  const { name, generateName, namespace, uid, generation, creationTimestamp } = metadata;
  if (resourceVersion !== undefined && generation === undefined && namespace !== undefined)
    return generateName === undefined
      ? { name, namespace, uid, resourceVersion, creationTimestamp }
      : { name, generateName, namespace, uid, resourceVersion, creationTimestamp };
  const made: Loose = { name };
  if (generateName !== undefined) made.generateName = generateName;
  if (namespace !== undefined) made.namespace = namespace;
  made.uid = uid;
  if (resourceVersion !== undefined) made.resourceVersion = resourceVersion;
  if (generation !== undefined) made.generation = generation;
  made.creationTimestamp = creationTimestamp;
  return made;
}

/** Returns the members in the order of the schema, one level deep; undefined members are dropped. */
export function inOrder<T extends object>(shape: Schema | undefined, value: T): T {
  if (shape?.type !== 'object') return value;
  const given = value as Readonly<Record<string, unknown>>;
  const result: Record<string, unknown> = {};
  for (const name in shape.fields) if (given[name] !== undefined) result[name] = given[name];
  return result as T;
}

/** Returns a frozen copy of a shared subtree with some members replaced, in published order. */
export const withMembers = <T extends object>(shape: Schema | undefined, value: T, members: Partial<T>): T =>
  deepFreeze(inOrder(shape, { ...value, ...members }));
